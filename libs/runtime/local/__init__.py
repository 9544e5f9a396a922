"""A whole casino on one machine: the embedded server, the supervisor of `make run`, and the bots that play."""
