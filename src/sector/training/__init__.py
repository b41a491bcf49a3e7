"""Training: prepared data → batches → one loop → weights; torch and numpy are enough for it."""
