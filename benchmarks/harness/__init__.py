"""What every question shares: its page, its clock and its documents."""
