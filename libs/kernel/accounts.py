"""Names of the ledger's accounts, and which of them may be overdrawn. One place knows how they are spelt."""

from libs.kernel.limits import MAX_SEATS

HOUSE_BANK = "house:bank"
"""Where table floats come from and go back to."""
HOUSE_RAKE = "house:rake"
HOUSE_ENTRY = "house:entry"

CAGE = "cage:main"
"""The cage of the site: minus the money that players have brought and not taken away."""

PENDING_BUY_IN = "pending:buy-in"
"""Money of buy-ins that left the player's account and is not yet on a seat."""

PENDING_REQUEST = "pending:request"
"""Money that a request has debited, until it is posted, void or expired."""

HOUSE_ACCOUNTS = frozenset({HOUSE_BANK, HOUSE_RAKE, HOUSE_ENTRY})

_SEAT_NUMBERS = frozenset(str(seat) for seat in range(1, MAX_SEATS + 1))


def player_account(player: str) -> str:
    """Return the account of a player.

    >>> player_account("player-1")
    'player:player-1'
    """
    return f"player:{player}"


def seat_account(table: str, seat: int) -> str:
    """Return the account that mirrors a seat's credit meter.

    >>> seat_account("T1", 3)
    'seat:T1:3'
    """
    return f"seat:{table}:{seat}"


def seat_number(account: str) -> int:
    """Return the number of the seat whose account it is, or 0.

    >>> seat_number("seat:T1:3"), seat_number("house:bank")
    (3, 0)
    """
    number = account.rpartition(":")[2]
    return int(number) if account.startswith("seat:") and number.isdecimal() else 0


def table_of(account: str) -> str:
    """Return the table to whose seat or float an account belongs, or an empty text.

    >>> table_of("seat:T1:3"), table_of("float:T1"), table_of("player:player-1")
    ('T1', 'T1', '')
    """
    kind, _, rest = account.partition(":")
    match kind:
        case "seat":
            return rest.rpartition(":")[0]
        case "float":
            return rest
        case _:
            return ""


def player_of(account: str) -> str:
    """Return the player whose account it is, or an empty text.

    >>> player_of("player:player-1"), player_of("house:bank")
    ('player-1', '')
    """
    kind, _, rest = account.partition(":")
    return rest if kind == "player" else ""


def float_account(table: str) -> str:
    """Return the account of a table's float.

    >>> float_account("T1")
    'float:T1'
    """
    return f"float:{table}"


def transit_account(shard: str) -> str:
    """Return the account of what was sent to another part of the wallet, less what came from there.

    >>> transit_account("wallet-2")
    'transit:wallet-2'
    """
    return f"transit:{shard}"


def may_be_overdrawn(account: str) -> bool:
    """Tell whether an account may go below zero: the house's own and what is between wallets, a player's money never.

    >>> may_be_overdrawn("float:T1"), may_be_overdrawn("seat:T1:3"), may_be_overdrawn("pending:buy-in")
    (True, False, False)
    """
    return account.startswith(("float:", "house:", "cage:", "transit:"))


def adjustable(account: str) -> bool:
    """Tell whether people may correct an account: players', the house's and the cage's.

    Seats and floats are the tables' own, and what is pending belongs to what pends.

    >>> adjustable("player:player-1"), adjustable("house:bank"), adjustable("seat:T1:3"), adjustable("player:")
    (True, True, False, False)
    """
    return account in HOUSE_ACCOUNTS or account == CAGE or player_of(account) != ""


def table_may_move(table: str, account: str, amount: int) -> bool:
    """Tell whether a posting of `table` may change `account` by `amount` cents.

    A table moves its own seats and float and the house's accounts, and pays players; it never takes from a player's
    account: only a buy-in does, and the ledger itself makes that.

    >>> table_may_move("T1", "player:player-1", 500), table_may_move("T1", "player:player-1", -500)
    (True, False)
    """
    kind, _, rest = account.partition(":")
    match kind:
        case "seat":
            owner, _, seat = rest.rpartition(":")
            return owner == table and seat in _SEAT_NUMBERS
        case "float":
            return rest == table
        case "house":
            return account in HOUSE_ACCOUNTS
        case "player":
            return bool(rest) and amount >= 0
        case _:
            return False
