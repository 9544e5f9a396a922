"""`tapis tables`: every table, as the log says it is now."""

import msgspec

from libs.cli import exits
from libs.cli.output import put, put_json, say
from libs.cli.where import Site
from libs.cli.words import money
from libs.runtime.kinds import PIT, kind_of
from libs.runtime.loading import current_volumes, load_book
from libs.table.state import IN_SESSION, TableState


class TableLine(msgspec.Struct, frozen=True):
    """One table, as the log says it is now. Money in cents."""

    table: str
    pit: str
    session: int
    phase: str
    coup: int
    game: str
    paytable: str
    seats_taken: int
    handle: int
    owed: int
    """Postings that the ledger has not confirmed."""


async def tables(site: Site, as_json: bool) -> int:
    """Print every table that the log knows."""
    lines = []
    for shard in await site.log.shards():
        if kind_of(shard) is not PIT:
            continue
        for name, volume in current_volumes(await site.log.heads(shard)).items():
            # An onlooker: the table may play on between the look at its head and the end of its log.
            book = await load_book(site.log, shard, PIT.decider, PIT.codec, name, volume)
            lines.append(_table_line(shard, book.state))
    lines.sort(key=lambda line: line.table)
    for line in lines:
        if as_json:
            put_json(line)
        else:
            put(
                f"{line.table:<16} {line.pit:<10} session {line.session:<4} {line.phase:<9} coup {line.coup:<6} "
                f"{line.game} {line.paytable}, seats taken {line.seats_taken}, handle {money(line.handle)}"
            )
    if not lines:
        say("no table has ever been opened here")
    return exits.OK


def _table_line(pit: str, state: TableState) -> TableLine:
    return TableLine(
        table=state.table,
        pit=pit,
        session=state.session,
        phase=state.phase,
        coup=state.coup if state.phase in IN_SESSION else 0,
        game=state.terms.game if state.terms else "",
        paytable=state.terms.paytable if state.terms else "",
        seats_taken=len(state.seats),
        handle=state.handle,
        owed=len(state.owed),
    )
