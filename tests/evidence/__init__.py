"""`make rng-report`: evidence that draws are fair, for a laboratory and for whoever doubts. See docs/chance.md."""
