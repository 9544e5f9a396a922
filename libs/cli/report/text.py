"""Reports for people: French first, with English."""

from collections.abc import Iterable, Iterator
from datetime import tzinfo
from hashlib import sha256

from libs.cli.words import moment, money
from libs.games import GAMES
from libs.kernel.contracts.wallet import BuyInPended, BuyInPosted, BuyInVoided, Deposited, TablePosted, Withdrawn
from libs.kernel.contracts.wallet_limits import Change, ExclusionLifted, LimitSet, PlayerExcluded
from libs.kernel.contracts.wallet_requests import RequestExpired, RequestPended, RequestPosted, RequestVoided
from libs.kernel.contracts.wallet_transit import TransferReceived
from libs.kernel.messages import tag_of
from libs.runtime.report.player import PlayerReport
from libs.runtime.report.shapes import DayReport, GameReport, Liability, TableReport
from libs.runtime.report.signing import encode
from libs.table.board import IN_OWN_WORDS, void_words

NOTHING = "aucune activité / no activity"

_STATUS = {"closed": "close / closed", "open": "en cours, provisoire / running, provisional", "no_activity": NOTHING}

_OPEN = {
    "buy_in": "achat de jetons / buy-in",
    "adjustment": "correction / adjustment",
    "fill": "avance complémentaire / fill",
    "float_credit": "retour d'encaisse / float credit",
}

_CATEGORY = {
    "contrepartie": "contrepartie",
    "electronic": "forme électronique / electronic",
    "cercle": "cercle",
    "": "non classé / unclassified",
}


def day(report: DayReport, zone: tzinfo) -> list[str]:
    """Return the report of a day as lines."""
    lines = [*_head(report, zone)]
    if report.status == "no_activity":
        return lines
    lines += ["", "Tables"]
    lines += _tables(report.tables) or [f"  {NOTHING}"]
    lines += ["", "Produit brut des jeux / gross gaming revenue (configuration, not a legal opinion)"]
    lines += [_game(game) for game in report.games] or [f"  {NOTHING}"]
    lines += [_line("Total / total", report.totals.revenue)]
    lines += ["", "Caisse / cage"]
    lines += [_line("dépôts / deposits", report.totals.deposits)]
    lines += [_line("retraits / withdrawals", report.totals.withdrawals)]
    lines += ["", "Dû aux joueurs / liability to players", *_liability(report.liability_before, report.liability)]
    lines += _lists(report, zone)
    lines += ["", "Contrôles / checks"]
    lines += [_line("somme des comptes / sum of all accounts", report.totals.all_accounts)]
    lines += [_line("écart des encaisses / floats", sum(table.float_difference for table in report.tables))]
    lines += [_line("écart des compteurs / meters", sum(table.meters_difference for table in report.tables))]
    lines += ["", "Journaux / logs", *(f"  {s.stream:<24} {s.version:>8}  {s.hash}" for s in report.sources)]
    return [*lines, f"SHA-256 (JSON) {sha256(encode(report)).hexdigest()}"]


def _head(report: DayReport, zone: tzinfo) -> Iterator[str]:
    yield f"Journée de jeu / gaming day {report.day}, {report.site}: {_STATUS[report.status]}"
    if report.began_ms is not None:
        end = moment(report.ended_ms, zone) if report.ended_ms is not None else "…"
        yield f"  {moment(report.began_ms, zone)} – {end} ({report.timezone}, {report.cut_off}), {report.currency}"


def _tables(tables: Iterable[TableReport]) -> list[str]:
    rows = [
        (table.table, *map(money, (table.drop, table.handle, table.win)), _percent(table.hold_bp), money(table.revenue))
        for table in tables
        if _active(table)
    ]
    idle = [f"  {table.table:<16} {NOTHING}" for table in tables if not _active(table)]
    heads = ("table", "drop", "enjeux/handle", "gain/win", "hold", "PBJ/GGR")
    return [_row(cells) for cells in ((heads, *rows) if rows else ())] + idle


def _active(table: TableReport) -> bool:
    return bool(table.sessions or table.drop or table.fills or table.float_credits)


def _row(cells: tuple[str, ...]) -> str:
    return f"  {cells[0]:<16}" + "".join(f"{cell:>16}" for cell in cells[1:])


def _percent(hold_bp: int | None) -> str:
    return "–" if hold_bp is None else f"{money(hold_bp)} %"


def _game(game: GameReport) -> str:
    taken = [f"{word} {money(cents)}" for word, cents in (("rake", game.rake), ("entrées", game.entry_fees)) if cents]
    name = f"{game.game} ({_CATEGORY[game.category]})"
    return _line(name, game.revenue) + (f"   {', '.join(taken)}" if taken else "")


def _line(name: str, cents: int) -> str:
    return f"  {name:<48} {money(cents):>16}"


def _liability(before: Liability, after: Liability) -> list[str]:
    names = {
        "accounts": "comptes / accounts",
        "meters": "compteurs / credit meters",
        "buy_ins": "achats en cours / buy-ins on their way",
        "in_transit": "en transit / in transit",
        "total": "total",
        "held": "bloqué pour demandes / held for requests",
    }
    rows = [(word, getattr(before, name), getattr(after, name)) for name, word in names.items()]
    heads = f"  {'':<48} {'début / start':>16} {'fin / end':>16}"
    return [heads, *(f"{_line(word, start)} {money(end):>16}" for word, start, end in rows)]


def _lists(report: DayReport, zone: tzinfo) -> list[str]:
    """Return what must be named one by one; what is empty says so."""
    games = {(table.table, one.session): one.game for table in report.tables for one in table.sessions}
    voids = [
        f"{v.table}/{v.session} coup {v.coup}, {_void(games.get((v.table, v.session), ''), v.code)}: {v.reason}"
        for v in report.voids
    ]
    unplayed = sum(session.unplayed for table in report.tables for session in table.sessions)
    corrections = [
        f"{c.reference} ({c.asked_by}, {c.approved_by}): {c.reason}; "
        + ", ".join(f"{leg.account} {money(leg.amount)}" for leg in c.legs)
        for c in report.corrections
    ]
    outcomes = [f"{o.table}/{o.session} coup {o.coup} ({o.by}): {o.reason}" for o in report.outcomes]
    counts = [
        f"{c.table}/{c.session} {moment(c.at_ms, zone)} ({c.by}): {money(c.counted)}, "
        f"écart / difference {money(c.counted - c.expected)}"
        + (f", établi avec / stands with {c.stands_with}" if c.stands_with else "")
        for c in report.counts
    ]
    late = [f"{one.reference} ({moment(one.at_ms, zone)}): {money(one.amount)}" for one in report.late]
    items = {
        side: [f"{_OPEN[i.kind]} {i.reference} {i.table}: {money(i.amount)}" for i in found]
        for side, found in (("in", report.carried_in), ("out", report.carried_out))
    }
    return [
        "",
        *_list(f"Coups nuls / voids ({len(voids)}; {unplayed} sans joueurs / unplayed)", voids),
        *_list("Corrections / adjustments", corrections),
        *_list("Résultats rectifiés / corrected outcomes", outcomes),
        *_list("Comptages / counts", counts),
        *_list("Écritures tardives / late postings", late),
        *_list("Reprises de la veille / carried in", items["in"]),
        *_list("Reports / carried out", items["out"]),
    ]


def _void(game: str, code: str) -> str:
    """Return what kind of void it was; the code alone where somebody wrote the reason, or for a game not known here."""
    if code in IN_OWN_WORDS or game not in GAMES:
        return code
    words = void_words(GAMES[game], code)
    return f"{words.fr} / {words.en} ({code})"


def _list(title: str, lines: list[str]) -> list[str]:
    return [title, *(f"  {line}" for line in lines)] if lines else [f"{title}: –"]


def table(report: DayReport, name: str, found: TableReport | None, zone: tzinfo) -> list[str]:
    """Return the report of one table as lines."""
    lines = [*_head(report, zone), "", f"Table {name}"]
    if found is None or not _active(found):
        lines.append(f"  {NOTHING}")
    if found is None:
        return lines
    for one in found.sessions:
        closed = moment(one.closed_ms, zone) if one.closed_ms is not None else "…"
        lines.append(f"  séance / session {one.session}: {one.game} {one.paytable}, {_CATEGORY[one.category]}")
        lines.append(f"    {moment(one.opened_ms, zone)} – {closed}")
        lines.append(f"    {one.coups} coups, {one.voids} nuls / void, {one.unplayed} sans joueurs / unplayed")
    words = {
        "float_before": "encaisse au début / float at the start",
        "float_opened": "+ avances initiales / opening floats",
        "fills": "+ avances complémentaires / fills",
        "float_credits": "- retours / float credits",
        "float_gain": "+ gain de l'encaisse / won by the float",
        "float_closed": "- encaisses rendues / closing floats",
        "float_after": "encaisse à la fin / float at the end",
        "drop": "échanges / drop",
        "redeemed": "remboursements / redeemed",
        "meters_before": "compteurs au début / meters at the start",
        "meters_after": "compteurs à la fin / meters at the end",
        "handle": "enjeux / handle",
        "rake": "rake",
        "entry_fees": "droits d'entrée / entry fees",
        "win": "gain / win",
        "revenue": "produit brut / gross gaming revenue",
        "float_difference": "écart d'encaisse / float difference",
        "meters_difference": "écart des compteurs / meters difference",
    }
    lines += [_line(word, getattr(found, field)) for field, word in words.items()]
    return [*lines, f"  {'hold':<48} {_percent(found.hold_bp):>16}", *_lists(report, zone)]


def player(report: PlayerReport, zone: tzinfo) -> list[str]:
    """Return the report of a player as lines."""
    status = _STATUS["closed" if report.closed else "open"]
    lines = [f"Joueur / player {report.player}, {report.day}, {report.site}: {status}"]
    lines += [_line("solde au début / balance at the start", report.before)]
    lines += [f"  {moment(m.at_ms, zone)}  {_cells(m.event, m.reference, m.amount, m.after)}" for m in report.movements]
    lines += [_line("solde à la fin / balance at the end", report.after), ""]
    for one in report.play:
        said = f"{one.coups} coups, misé / staked {money(one.staked)}, rendu / credited {money(one.credited)}"
        lines.append(f"  {one.table}/{one.session} {one.game}: {said}")
    if not report.movements and not report.play:
        lines.append(f"  {NOTHING}")
    return [*lines, *_limits(report)]


_KINDS = {"stake": "mises / stakes", "loss": "pertes / losses", "deposit": "dépôts / deposits"}
_PERIODS = {"day": "jour / day", "week": "semaine / week"}
_WHOSE = {"self": "volontaire / self", "casino": "établissement / casino"}


def _limits(report: PlayerReport) -> list[str]:
    """Return the limits and exclusions of a player, and their history; nothing for who never had any."""
    if not report.history:
        return []
    limits = [
        f"{_KINDS[one.kind]}, {_PERIODS[one.period]}: {_amount(one.amount)}"
        + (f"; dès / from {one.from_day}: {_amount(one.following)}" if one.from_day else "")
        for one in report.limits
    ]
    exclusions = [f"{_WHOSE[one.kind]}, {_until(one.until)}" for one in report.exclusions]
    return [
        "",
        *_list("Limites / limits", limits),
        *_list("Exclusions", exclusions),
        *_list("Historique / history", [_change(change) for change in report.history]),
    ]


def _amount(cents: int | None) -> str:
    return "aucune / none" if cents is None else money(cents)


def _until(day: str | None) -> str:
    return "sans fin / without end" if day is None else f"jusqu'au / until {day}"


def _change(change: Change) -> str:
    said = f"{change.day} ({change.by}, {change.role}) "
    match change:
        case LimitSet():
            amounts = f"{_amount(change.before)} → {_amount(change.amount)}, dès / from {change.from_day}"
            return f"{said}{_KINDS[change.kind]}, {_PERIODS[change.period]}: {amounts}"
        case PlayerExcluded():
            reason = f": {change.reason}" if change.reason else ""
            return f"{said}exclusion {_WHOSE[change.kind]}, {_until(change.until)}{reason}"
        case ExclusionLifted():
            return f"{said}exclusion levée / lifted: {change.reason}"


MOVED = {
    tag_of(Deposited): "dépôt / deposit",
    tag_of(Withdrawn): "retrait / withdrawal",
    tag_of(BuyInPended): "achat de jetons / buy-in",
    tag_of(BuyInPosted): "achat arrivé / buy-in arrived",
    tag_of(BuyInVoided): "achat annulé / buy-in void",
    tag_of(TablePosted): "de la table / from the table",
    tag_of(TransferReceived): "de la table / from the table",
    tag_of(RequestPended): "bloqué pour demande / held",
    tag_of(RequestPosted): "correction / adjustment",
    tag_of(RequestVoided): "demande refusée / declined",
    tag_of(RequestExpired): "demande expirée / expired",
}
"""What moved an account, by the tag of its event."""


def _cells(event: str, reference: str, amount: int, after: int) -> str:
    return f"{MOVED[event]:<32} {reference:<40} {money(amount):>14} {money(after):>14}"
