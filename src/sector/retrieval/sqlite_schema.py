"""The tables of an index in SQLite."""

from __future__ import annotations

APPLICATION = 0x53435452
"""In the file's head: it is an index of ours."""
TABLES = (
    f"PRAGMA application_id = {APPLICATION}",
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE documents (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL)",
    """CREATE TABLE chunks (
        number INTEGER PRIMARY KEY, document INTEGER NOT NULL, id TEXT NOT NULL, begin INTEGER NOT NULL,
        "end" INTEGER NOT NULL, tokens INTEGER NOT NULL, label TEXT NOT NULL, confidence REAL NOT NULL,
        heading TEXT NOT NULL, page INTEGER, previous_id TEXT, next_id TEXT, title TEXT NOT NULL, text TEXT NOT NULL,
        label_key TEXT NOT NULL)""",
    "CREATE INDEX chunks_of_document ON chunks (document)",
    "CREATE TABLE vectors (number INTEGER PRIMARY KEY, vector BLOB NOT NULL)",
    """CREATE VIRTUAL TABLE words USING fts5(
        title, heading, label, text, content='chunks', content_rowid='number', tokenize='TOKENIZER')""",
    """CREATE TRIGGER chunk_inserted AFTER INSERT ON chunks BEGIN
        INSERT INTO words(rowid, title, heading, label, text)
        VALUES (new.number, new.title, new.heading, new.label, new.text); END""",
    """CREATE TRIGGER chunk_deleted AFTER DELETE ON chunks BEGIN
        INSERT INTO words(words, rowid, title, heading, label, text)
        VALUES ('delete', old.number, old.title, old.heading, old.label, old.text); END""",
)
WEIGHTS = "1.0, 1.0, 1.0, 1.0"
"""What a word counts in title, heading, label and text."""
