"""Reports of a gaming day, folded from the logs alone: the same day gives the same bytes.

The ledger decides what belongs to a day: whatever its volume of that day holds. A table's fact counts in the day in
which the ledger has taken its posting; one that moved no money (a void coup) with the next posting of its session. So a
closed day never changes, its totals are the ledger's, and what was late stands in the day that was open, by name.
"""
