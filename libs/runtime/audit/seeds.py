"""Compute the chance of every coup again, and compare what the RNG promised with what the tables heard."""

from libs.draws.proof import CoupProof, judge
from libs.kernel.contracts.rng import SeedCommitted
from libs.kernel.ids import split_seed_id, split_stream, stream_name
from libs.kernel.messages import Event
from libs.runtime.audit.report import Faults
from libs.runtime.proofs import Proofs
from libs.table.messages import SessionOpened


class SeedAudit:
    """Reads the tables first, then the RNG."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._sessions: dict[str, tuple[str, Proofs]] = {}
        """The session of each table that is being read."""
        self._heard: dict[str, tuple[str, str]] = {}
        """Stream and commitment of each seed that a table heard of."""
        self._promised: dict[str, str] = {}
        self._unseeded: set[str] = set()
        """Sessions that say that their draws have no seeds, by stream."""

    def see(self, stream: str, version: int, event: Event) -> None:
        """Take the next event of a table."""
        table, _ = split_stream(stream)
        before, proofs = self._sessions.get(table, ("", Proofs()))
        if before != stream:
            self._end(before, proofs)
            proofs = Proofs()
            self._sessions[table] = (stream, proofs)
        for proof in proofs.see(event):
            self._judge(stream, version, proof)
        if isinstance(event, SessionOpened) and not event.seeded:
            self._unseeded.add(stream)

    def promised(self, stream: str, version: int, event: SeedCommitted) -> None:
        """Take a commitment from the log of the RNG."""
        if event.seed_id in self._promised:
            self._faults.add(stream, version, "seed.twice", f"{event.seed_id} was committed to twice")
        self._promised[event.seed_id] = event.commitment
        try:
            place, session, _ = split_seed_id(event.seed_id)
        except ValueError:
            self._faults.add(
                stream, version, "seed.bad_id", f"{event.seed_id} is committed to, and is not the id of a seed"
            )
            return
        of_session = stream_name(place.rpartition("/")[2], session)
        if of_session in self._unseeded:
            what = f"{of_session} says that its draws have no seeds, but {event.seed_id} was committed to"
            self._faults.add(stream, version, "seed.denied", what)

    def compare(self) -> None:
        """Compare, when all logs were read."""
        for stream, proofs in self._sessions.values():
            for proof in proofs.rest():
                self._judge(stream, 0, proof)
        for seed, (stream, commitment) in self._heard.items():
            if seed not in self._promised:
                self._faults.add(stream, 0, "seed.unknown", f"{seed} is committed to, but the RNG never was")
            elif self._promised[seed] != commitment:
                self._faults.add(stream, 0, "seed.differs", f"{seed}: the table heard another commitment")

    def _end(self, stream: str, proofs: Proofs) -> None:
        """A session has ended: all its seeds are shown."""
        for proof in proofs.rest():
            self._judge(stream, 0, proof)
            if proof.commitment:
                self._faults.add(stream, 0, "seed.not_shown", f"the seed of coup {proof.coup} was never shown")

    def _judge(self, stream: str, version: int, proof: CoupProof) -> None:
        if proof.commitment:
            self._heard[proof.seed_id] = (stream, proof.commitment)
        for fault in judge(proof).faults:
            self._faults.add(stream, version, "draw.unproven", f"coup {proof.coup}: {fault}")
