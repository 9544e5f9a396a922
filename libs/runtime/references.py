"""By which id two logs speak of the same fact."""

from libs.kernel.contracts.wallet import TablePosted
from libs.kernel.contracts.wallet_requests import RequestExpired, RequestPosted, RequestVoided
from libs.kernel.contracts.wallet_transit import TransferReceived
from libs.kernel.ids import posting_id, transit_id
from libs.kernel.messages import Event


def reference_of(event: Event) -> str:
    """Return the id by which other logs know an event of the ledger."""
    match event:
        case TablePosted():
            return posting_id(event.table, event.session, event.number)
        case RequestPosted() | RequestVoided() | RequestExpired():
            return event.request
        case TransferReceived():
            return transit_id(event.origin, event.at, event.number)
        case _:
            return str(getattr(event, "transfer_id", ""))
