"""Structured logs: one JSON object a line on standard output, with the words of the house as keys."""

import logging
import sys
from typing import cast

import structlog


def set_up_logs(service: str, site: str, instance: str, level: str) -> None:
    """Send all logs of this process, ours and the libraries', to standard output as JSON lines."""
    number = getattr(logging, level.upper())
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts"),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer(ensure_ascii=False)],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stdout),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(service=service, site=site, instance=instance)
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processor=structlog.processors.JSONRenderer(ensure_ascii=False), foreign_pre_chain=shared
        )
    )
    # Libraries speak of every request and of every lost connection; we report those ourselves.
    logging.basicConfig(handlers=[handler], level=max(number, logging.WARNING), force=True)


def log() -> structlog.typing.FilteringBoundLogger:
    """Return the logger."""
    return cast("structlog.typing.FilteringBoundLogger", structlog.get_logger())
