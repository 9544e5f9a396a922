"""The exit codes of `tapis`; in every command they mean the same."""

OK = 0
FAILURE = 1
"""Something went wrong, or `doctor` found something that needs a hand."""
USAGE = 2
VERIFICATION_FAILED = 3
NOT_FOUND = 4
UNAVAILABLE = 5
"""The log's server cannot be reached or started."""
