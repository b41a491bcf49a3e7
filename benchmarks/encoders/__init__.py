"""Pretrained encoders: whether they can be exported, what they cost in memory and time."""
