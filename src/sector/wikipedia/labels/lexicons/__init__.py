"""Lexicons: where the synsets of headings come from, all behind one small protocol."""
