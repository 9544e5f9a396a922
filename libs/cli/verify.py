"""`tapis verify`: audit a whole site from its log."""

import sys

import msgspec

from libs.cli import exits
from libs.cli.output import put, put_json, say
from libs.cli.where import Site
from libs.cli.words import money
from libs.eventlog.api import EventLogError
from libs.runtime.audit import AuditReport, audit


async def verify(site: Site, as_json: bool) -> int:
    """Audit the whole site; the exit code is 3 when anything is wrong."""

    def progress(stream: str, events: int) -> None:
        if sys.stderr.isatty():
            say(f"{stream}, {events} events")

    try:
        report = await audit(site.log, progress)
    except EventLogError as error:
        say(f"the log cannot be read: {error}")
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
    again = report.redecided
    ends = f"{again.settlements} settlements, {again.releases} releases and {again.voids} voids"
    words = f" ({again.voids_by_word} voids on somebody's word alone)" if again.voids_by_word else ""
    put(f"{again.decisions} decisions, decided again by the rules: {ends} follow{words}: {_yes(report, 'decision')}")
    for rules, decisions in again.not_checked.items():
        put(f"NOT decided again: {decisions} decisions under {rules}; this release has a later one")
    put(f"chains and versions hold: {_yes(report, 'chain')}")
    draws = report.draws
    coming = f" ({draws.not_revealed} more will be, when their seeds are revealed)" if draws.not_revealed else ""
    follow = f"{draws.computed} draws follow from the seeds that were promised{coming}"
    put(f"{follow}: {_yes(report, 'draw', 'seed')}")
    for many, why in ((draws.lost, "whose seeds are lost"), (draws.no_seed, "of sessions without seeds")):
        if many:
            put(f"NOT computed again: {many} draws {why}")
    put(f"{report.accounts} accounts sum to {money(report.total)}; every entry recomputed: {_yes(report, 'entry')}")
    on_the_way = f", {report.owed} postings on their way" if report.owed else ""
    put(f"{report.seats_compared} seats compared between ledger and tables{on_the_way}: {_yes(report, 'seat')}")
    for fault in report.faults:
        put(f"FAULT {fault.stream} at version {fault.version}: {fault.what} ({fault.code})")
    put("verified" if report.ok else "NOT verified")


def _yes(report: AuditReport, *words: str) -> str:
    return "no" if any(fault.code.split(".")[0] in words for fault in report.faults) else "yes"
