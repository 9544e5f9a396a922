"""The draws: integers made once per id and remembered, as one decider. `DECIDER` is in `libs.draws.decider`."""
