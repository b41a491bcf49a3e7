"""How good the sections are."""
