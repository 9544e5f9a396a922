"""The register of persons: who is behind a pseudonym, sealed. `DECIDER` is in `libs.persons.decider`."""
