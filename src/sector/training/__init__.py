"""Training: prepared data → batches → one loop → weights. Needs torch and numpy alone, so it runs on any GPU machine."""
