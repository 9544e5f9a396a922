"""Calls that were lost between us and a server."""

from redis.exceptions import RedisError

# uvloop raises RuntimeError for a write on a connection that has just been closed.
LOST = (RedisError, OSError, TimeoutError, EOFError, RuntimeError)
"""What a call raises when the server cannot be reached, does not answer in time, or answers with an error."""


def sentence(error: BaseException) -> str:
    """Return what to tell people about a lost call."""
    return str(error) or f"no answer from the server in time ({type(error).__name__})"
