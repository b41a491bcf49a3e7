"""How the code hangs together."""
