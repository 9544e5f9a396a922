"""The ledger: every cent of a site in double entry, as one decider. `DECIDER` is in `libs.ledger.decider`."""
