"""Compare the books with one another: ledger against tables, tables against draws."""

from collections.abc import Mapping

import msgspec

from libs.kernel.accounts import seat_account, seat_number, table_of
from libs.runtime.audit.ledgers import Ledgers
from libs.runtime.audit.report import Faults
from libs.runtime.audit.table import TableAudit


class SeatDiffers(msgspec.Struct, frozen=True):
    """A seat whose credit meter is not what the ledger has for it, in cents."""

    table: str
    account: str
    held: int
    balance: int
    coming: int
    """What is on its way to the ledger's account."""


def compare_money(ledger: Ledgers, tables: Mapping[str, TableAudit], faults: Faults) -> tuple[int, list[SeatDiffers]]:
    """Compare postings, buy-ins and seat balances; return how many seats were compared, and those that differ."""
    _compare_postings(ledger, tables, faults)
    _compare_buy_ins(ledger, tables, faults)
    _compare_float_moves(ledger, tables, faults)
    return _compare_seats(ledger, tables)


def _compare_postings(ledger: Ledgers, tables: Mapping[str, TableAudit], faults: Faults) -> None:
    """Every posting in the ledger is one that its table asked for, with the same amounts; what it confirmed it has."""
    for table in tables.values():
        for key in sorted(table.confirmed.keys() - ledger.posted.keys() - ledger.posted_late):
            what = f"the ledger has confirmed posting {key[2]}, and does not have it"
            faults.add(f"{key[0]}/{key[1]}", table.confirmed[key], "posting.not_booked", what)
    for (name, session, number), done in ledger.posted.items():
        legs = tables[name].postings.get((name, session, number)) if name in tables else None
        stream = f"{name}/{session}"
        if legs is None:
            faults.add(
                stream, 0, "posting.unknown", f"the ledger has posting {number}, which the table never asked for"
            )
            continue
        asked: dict[str, int] = {}
        for leg in legs:
            asked[leg.account] = asked.get(leg.account, 0) + leg.amount
        if {a: c for a, c in asked.items() if c} != {a: c for a, c in done.items() if c}:
            faults.add(
                stream, 0, "posting.differs", f"posting {number} is {done} in the ledger, the table asked {asked}"
            )


def _compare_buy_ins(ledger: Ledgers, tables: Mapping[str, TableAudit], faults: Faults) -> None:
    """A buy-in is posted exactly when its seat was credited, with the same amount, and never when it was voided."""
    credited = {transfer: (name, event) for name, table in tables.items() for transfer, event in table.credited.items()}
    for transfer in ledger.buy_ins_posted:
        if transfer not in credited:
            faults.add("ledger", 0, "buy_in.not_credited", f"buy-in {transfer} is posted, but no seat was credited")
    for transfer, (name, event) in credited.items():
        pended = ledger.pended.get(transfer)
        if pended is None:
            faults.add(name, 0, "buy_in.unknown", f"seat {event.seat} was credited {transfer}, unknown to the ledger")
        elif transfer in ledger.buy_ins_voided:
            faults.add(name, 0, "buy_in.voided", f"buy-in {transfer} was given back, but seat {event.seat} has it too")
        elif (pended.table, pended.seat, pended.player, pended.amount) != (
            name,
            event.seat,
            event.player,
            event.amount,
        ):
            faults.add(
                name, 0, "buy_in.differs", f"buy-in {transfer} is not the one that seat {event.seat} was credited"
            )


def _compare_float_moves(ledger: Ledgers, tables: Mapping[str, TableAudit], faults: Faults) -> None:
    """A fill or float credit is posted exactly when its table has made it, with the same amount."""
    made = {request: (name, cents) for name, table in tables.items() for request, cents in table.float_moves.items()}
    for request, posted in ledger.float_moves.items():
        if made.get(request) != posted:
            said = made.get(request)
            faults.add("ledger", 0, "float.differs", f"request {request} is posted as {posted}, the table has {said}")
    for request, (name, cents) in made.items():
        asked = ledger.open_requests.get(request)
        if request not in ledger.float_moves and (asked is None or asked.table != name):
            faults.add(name, 0, "float.unknown", f"the float was moved by {cents} cents, the ledger has no {request}")


def _compare_seats(ledger: Ledgers, tables: Mapping[str, TableAudit]) -> tuple[int, list[SeatDiffers]]:
    """What a seat holds on the table is its ledger balance and what is on its way to the ledger."""
    on_the_way = dict(ledger.coming)
    held: dict[str, int] = {}
    for name, table in tables.items():
        for seat, amount in table.held.items():
            held[seat_account(name, seat)] = amount
        for key, legs in table.postings.items():
            if key not in ledger.posted:
                for leg in legs:
                    on_the_way[leg.account] = on_the_way.get(leg.account, 0) + leg.amount
        for transfer, event in table.credited.items():
            if transfer not in ledger.buy_ins_posted:
                account = seat_account(name, event.seat)
                on_the_way[account] = on_the_way.get(account, 0) + event.amount
    accounts = set(held) | {account for account in ledger.balances if seat_number(account)}
    found = [
        SeatDiffers(
            table_of(account),
            account,
            held.get(account, 0),
            ledger.balances.get(account, 0),
            on_the_way.get(account, 0),
        )
        for account in sorted(accounts)
    ]
    return len(accounts), [one for one in found if one.balance + one.coming != one.held]


def compare_draws(drawn: Mapping[str, tuple[int, ...]], tables: Mapping[str, TableAudit], faults: Faults) -> None:
    """Every value that a table used is the one that the RNG recorded."""
    for table in tables.values():
        for draw_id, (stream, version, values) in table.draws.items():
            if draw_id not in drawn:
                faults.add(stream, version, "draw.unknown", f"draw {draw_id} is used, but the RNG never made it")
            elif drawn[draw_id] != values:
                faults.add(stream, version, "draw.differs", f"draw {draw_id} is used with other values than were drawn")


def compare_failed(drawn: Mapping[str, tuple[int, ...]], failed: Mapping[str, tuple[str, int]], faults: Faults) -> None:
    """No coup is void because a draw failed that the RNG has made."""
    for draw_id, (stream, version) in failed.items():
        if draw_id in drawn:
            what = f"the coup is void because draw {draw_id} failed, but the RNG has made it"
            faults.add(stream, version, "decision.draw_made", what)
