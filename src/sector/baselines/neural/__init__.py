"""Neural baselines: documents as word numbers once, then torch and numpy alone."""
