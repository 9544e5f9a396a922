"""`tapis doctor` and `tapis parked`: what is true of the server and the shards, and what needs a hand."""

import msgspec

from libs.cli import exits
from libs.cli.output import put, put_json, say
from libs.cli.where import Site
from libs.cli.words import moment
from libs.eventlog.server_check import UnfitServer, check_server
from libs.runtime.local.inspection import WAITING_COUNTED, Inspector, ShardFacts


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
        name = await check_server(site.url, durability, sees_settings=True)
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
        say("nothing is parked")
    return exits.OK
