"""The AsyncAPI 3.0 document of a service: what it takes from inboxes, and what it writes to logs and feeds.

Made from the message structs themselves, so it cannot drift. FastStream's own generator knows only pydantic models and
would describe our raw batches as bytes.
"""

from typing import Any

import msgspec

from libs.eventlog import keys
from libs.kernel.envelope import CommandEnvelope, FeedEntry
from libs.kernel.messages import Message, tag_of
from libs.runtime.kinds import Kind


def document(service: str, version: str, site: str, *kinds: Kind) -> dict[str, Any]:
    """Return the AsyncAPI document of a service that runs shards of these kinds."""
    commands = sorted({one for kind in kinds for one in kind.decider.commands}, key=tag_of)
    events = sorted({one for kind in kinds for one in kind.decider.events}, key=tag_of)
    public = [event for event in events if not event.secret]
    envelopes: list[Any] = [CommandEnvelope, FeedEntry]
    # Two games may have a word of the same name: msgspec then names both schemas in full, and says so by the reference.
    references, schemas = msgspec.json.schema_components(
        [*commands, *events, *envelopes], ref_template="#/components/schemas/{name}"
    )
    return {
        "asyncapi": "3.0.0",
        "info": {"title": f"Tapis {service}", "version": version},
        "defaultContentType": "application/json",
        "channels": {
            "inbox": _channel(keys.inbox(site, "{shard}"), "Commands waiting for a shard (field c)", commands),
            "log": _channel(keys.log(site, "{shard}", "{stream}"), "Events of one stream (field e)", events),
            "feed": _channel(keys.feed(site, "{shard}"), "Copies of events and answers (field f)", public),
        },
        "operations": {
            "handle": {"action": "receive", "channel": {"$ref": "#/channels/inbox"}},
            "append": {"action": "send", "channel": {"$ref": "#/channels/log"}},
            "publish": {"action": "send", "channel": {"$ref": "#/channels/feed"}},
        },
        "components": {
            "schemas": schemas,
            "messages": {
                tag_of(cls): _message(cls, payload)
                for cls, payload in zip((*commands, *events), references, strict=False)
            },
        },
    }


def _channel(address: str, description: str, classes: list[type[Any]]) -> dict[str, Any]:
    parameters: dict[str, Any] = {name: {} for name in ("shard", "stream") if f"{{{name}}}" in address}
    messages = {tag_of(cls): {"$ref": f"#/components/messages/{tag_of(cls)}"} for cls in classes}
    return {"address": address, "description": description, "parameters": parameters, "messages": messages}


def _message(cls: type[Message], payload: dict[str, Any]) -> dict[str, Any]:
    summary = (cls.__doc__ or cls.__name__).strip().splitlines()[0]
    return {"name": tag_of(cls), "summary": summary, "payload": payload}
