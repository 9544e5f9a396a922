"""`tapis report`: what a gaming day came to, for people and for other programs."""
