"""How corpora larger than one machine are worked on: what an engine costs, and what a cluster would do."""
