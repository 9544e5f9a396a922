"""What the reading commands print: tables, doctor, parked, verify."""

import sys
from typing import cast

import msgspec

from libs.cli import exits
from libs.cli.where import Site
from libs.cli.words import moment, money
from libs.eventlog.api import EventLogError
from libs.eventlog.server_check import Durability, UnfitServer, check_server
from libs.runtime.audit import AuditReport, audit
from libs.runtime.kinds import kind_of
from libs.runtime.loading import current_volumes, load_book
from libs.runtime.local.inspection import WAITING_COUNTED, Inspector, ShardFacts
from libs.table.state import IN_SESSION, TableState


def put(text: str) -> None:
    """Write a line of data."""
    sys.stdout.write(f"{text}\n")


def put_json(value: object) -> None:
    """Write data as one line of JSON."""
    put(msgspec.json.encode(value).decode())


# -- tables -------------------------------------------------------------------------------------------------------
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
        kind = kind_of(shard)
        if kind.name != "pit":
            continue
        for name, volume in current_volumes(await site.log.heads(shard)).items():
            # An onlooker: the table may play on between the look at its head and the end of its log.
            book = await load_book(site.log, shard, kind.decider, kind.codec, name, volume)
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
        sys.stderr.write("tapis: no table has ever been opened here\n")
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


# -- doctor -------------------------------------------------------------------------------------------------------
class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at. `ok` is false when it needs a hand."""

    about: str
    ok: bool
    what: str


async def doctor(site: Site, durability: str, as_json: bool) -> int:
    """Print what is true of the server and the shards; the exit code is 1 when something needs a hand."""
    inspector = Inspector(site.url, site.name)
    try:
        findings = await _findings(site, inspector, durability)
    finally:
        await inspector.close()
    for finding in findings:
        if as_json:
            put_json(finding)
        else:
            put(f"{'ok       ' if finding.ok else 'attention'}  {finding.about:<12} {finding.what}")
    return exits.OK if all(finding.ok for finding in findings) else exits.FAILURE


async def _findings(site: Site, inspector: Inspector, durability: str) -> list[Finding]:
    findings = []
    try:
        name = await check_server(site.url, cast("Durability", durability))
        facts = await inspector.server()
        what = (
            f"{name}, appendfsync {facts.fsync or '?'}, {facts.memory_bytes // 1_048_576} MB used: keeps {durability}"
        )
        findings.append(Finding("server", True, what))
    except UnfitServer as unfit:
        findings.append(Finding("server", False, str(unfit)))
    shards = await inspector.shards()
    if not shards:
        findings.append(Finding("shards", False, f"no shard of site {site.name} was ever owned: has a service run?"))
    return findings + [_shard_finding(shard) for shard in shards]


def _shard_finding(shard: ShardFacts) -> Finding:
    waiting = f"{shard.waiting}{' or more' if shard.waiting >= WAITING_COUNTED else ''} waiting"
    owned = bool(shard.owner) and shard.lease_left_ms > 0
    owner = f"owned by {shard.owner} (epoch {shard.epoch})" if owned else "nobody owns it"
    ok = owned and not shard.parked and shard.waiting < WAITING_COUNTED
    what = f"{owner}, {waiting}, {shard.parked} parked, {shard.events} events in {shard.streams} streams"
    return Finding(shard.shard, ok, what)


# -- parked -------------------------------------------------------------------------------------------------------
async def parked(site: Site, as_json: bool) -> int:
    """Print the commands that could not be handled, with the reason."""
    inspector = Inspector(site.url, site.name)
    count = 0
    try:
        for shard in await site.log.shards():
            for entry in await inspector.parked(shard):
                count += 1
                if as_json:
                    put_json({"shard": shard, **msgspec.to_builtins(entry)})
                else:
                    put(f"{shard} {moment(entry.at_ms, site.timezone)} {entry.entry}: {entry.reason}")
                    put(f"    {entry.raw[:200]}")
    finally:
        await inspector.close()
    if not count:
        sys.stderr.write("tapis: nothing is parked\n")
    return exits.OK


# -- verify -------------------------------------------------------------------------------------------------------
async def verify(site: Site, as_json: bool) -> int:
    """Audit the whole site; the exit code is 3 when anything is wrong."""

    def progress(stream: str, events: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"tapis: {stream}, {events} events\n")

    try:
        report = await audit(site.log, progress)
    except EventLogError as error:
        sys.stderr.write(f"tapis: the log cannot be read: {error}\n")
        return exits.UNAVAILABLE
    if as_json:
        put_json({**msgspec.to_builtins(report), "ok": report.ok})
    else:
        _tell(site, report)
    return exits.OK if report.ok else exits.VERIFICATION_FAILED


def _tell(site: Site, report: AuditReport) -> None:
    put(f"site {site.name}: {report.shards} shards, {report.streams} streams, {report.events} events")
    coups = f"{report.coups} coups ({report.coups - report.voided} settled, {report.voided} void)"
    put(f"{coups}, {report.wagers} wagers, each settled or given back once: {_yes(report, 'wager')}")
    put(f"chains and versions hold: {_yes(report, 'chain')}")
    put(f"{report.accounts} accounts sum to {money(report.total)}; every entry recomputed: {_yes(report, 'entry')}")
    on_the_way = f", {report.owed} postings on their way" if report.owed else ""
    put(f"{report.seats_compared} seats compared between ledger and tables{on_the_way}: {_yes(report, 'seat')}")
    for fault in report.faults:
        put(f"FAULT {fault.stream} at version {fault.version}: {fault.what} ({fault.code})")
    put("verified" if report.ok else "NOT verified")


def _yes(report: AuditReport, word: str) -> str:
    return "no" if any(fault.code.split(".")[0] == word for fault in report.faults) else "yes"
