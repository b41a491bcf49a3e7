"""Sections and chunks inside other frameworks, one file each; a file imports its framework and nothing else does."""
