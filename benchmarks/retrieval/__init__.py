"""Chunks for retrieval: what is found again with the same embeddings and the same budget, whoever cut the texts."""
