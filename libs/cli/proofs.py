"""`tapis verify-draws`: compute the chance of a table's coups again, from what its log shows to everybody."""

import msgspec

from libs.cli import exits
from libs.cli.output import put, put_json
from libs.cli.replay import find_table
from libs.cli.where import NotFound, Site
from libs.draws.proof import CoupProof, Judgement, judge
from libs.kernel.ids import stream_name
from libs.runtime.proofs import Proofs
from libs.runtime.reading import read_events

_WORDS = {
    "agrees": "agrees",
    "differs": "DIFFERS",
    "not_revealed": "not revealed yet",
    "lost": "cannot be checked: the seed is lost",
    "no_seed": "has no seed: recorded by people or a device, or drawn before there were seeds",
}


class Judged(msgspec.Struct, frozen=True):
    """A line of `--json`: the public data of a coup, and what comes of it."""

    proof: CoupProof
    judgement: Judgement


async def verify_draws(site: Site, table: str, session: int | None, coup: int | None, as_json: bool) -> int:
    """Print a line for each coup; return the exit code: 3 when one differs."""
    shard, volumes = await find_table(site.log, table)
    if session is not None and session not in volumes:
        raise NotFound(f"{table} has no session {session}; there are {volumes[0]} to {volumes[-1]}")
    counts: dict[str, int] = {}
    for volume in volumes if session is None else [session]:
        for judged in await _session(site, shard, table, volume, over=volume != volumes[-1]):
            if coup is not None and judged.proof.coup != coup:
                continue
            verdict = judged.judgement.verdict
            counts[verdict] = counts.get(verdict, 0) + 1
            _print(judged, as_json)
    if not counts:
        raise NotFound(f"{table} has no coup {coup}" if coup is not None else f"{table} has had no coup")
    if not as_json:
        put(", ".join(f"{count} {_WORDS[verdict]}" for verdict, count in sorted(counts.items())))
    return exits.VERIFICATION_FAILED if counts.get("differs") else exits.OK


async def _session(site: Site, shard: str, table: str, volume: int, *, over: bool) -> list[Judged]:
    """Return the judged coups of a session in order, its chain checked on the way; raises `LogBroken`.

    A session after which another was opened is `over`: it has shown all its seeds.
    """
    proofs, found = Proofs(), list[CoupProof]()
    async for _, _, event in read_events(site.log, shard, stream_name(table, volume)):
        found += proofs.see(event)
    found += proofs.rest(over=over)
    found.sort(key=lambda one: one.coup)
    return [Judged(proof, judge(proof)) for proof in found]


def _print(judged: Judged, as_json: bool) -> None:
    if as_json:
        put_json(judged)
        return
    proof, judgement = judged.proof, judged.judgement
    draws = f"{len(proof.draws)} draw{'' if len(proof.draws) == 1 else 's'}"
    place = f"{proof.table} session {proof.session} coup {proof.coup:<4}"
    put(f"{place} {proof.result.replace('_', ' '):<10} {draws:<9} {_WORDS[judgement.verdict]}")
    for fault in judgement.faults:
        put(f"    {fault}")
