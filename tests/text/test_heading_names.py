"""Headings as names."""

from __future__ import annotations

import pytest

from sector.text.heading_names import heading_name, heading_path


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("2.1 GRANT OF LICENCE:", "Grant of licence"),
        ("1 Introduction", "Introduction"),
        ("Chapter 3: The kiln", "The kiln"),
        ("Appendix A – Tables", "Tables"),
        ("II – User’s guide", "User’s guide"),
        ("IV. Firing", "Firing"),
        ("§ 5 Kündigung", "Kündigung"),
        ("Kapitel 2 Öfen", "Öfen"),
        ("D.9.1 What is clay?", "What is clay?"),
        ("  Wiring \n the kiln ¶", "Wiring the kiln"),
        ("FAQ", "FAQ"),
        ("3D printing", "3D printing"),
        ("A sample kiln", "A sample kiln"),
        ("Civil law", "Civil law"),
        ("Version 1.2.3 (2024-01-05)", ""),
        ("v2.0.0-rc1", ""),
        ("Part II", ""),
        ("* * *", ""),
        ("x" * 200, ""),
    ],
)
def test_one_heading(heading: str, name: str) -> None:
    assert heading_name(heading) == name


def test_a_path_without_parts_that_name_nothing() -> None:
    assert heading_path("1. Changes | 2.4.1 | Fixed") == ("Changes", "Fixed")
