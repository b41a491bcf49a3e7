"""The systems of the paper, and those of today, side by side."""
