"""Documents in several formats that tests read, written by us or made here."""

from __future__ import annotations

import io
import zipfile

LEASE = """\
                         WORKSHOP LEASE

This lease is made between Orla Finch, who owns the yard behind the old mill, and
the Harbour Weavers, a club of nine people who need a dry room for their looms. It
begins on the first of March and runs for three years unless one of the parties ends
it earlier under clause 3.

1. Rent

The rent is 240 a month and falls due on the first day of each month. It covers
water and the repair of the roof. Electricity is paid by the meter, and the tenant
reads the meter on the last day of every month.

2. Use of the room

The tenant may weave, dye and sell cloth. Dyes that smell are kept in the shed. The
following are not allowed:

  a) open fire in any part of the building;
  b) machines that are louder than a sewing machine after nine in the
     evening;
  c) subletting without written consent.

3. Ending the lease

Either party may end the lease with three months' notice in writing. If the rent
stays unpaid for two months, the owner may end it at once.
"""
GUIDE = """\
---
title: Guide
---
# Guide

This guide says how the *kiln* is run. Read it
before the first firing.

## Install

Put the kiln on a [stone floor](https://example.org/floor_(old)). Then wire it:

```sh
# not a heading
kiln --wire
```

### Linux

- Load the driver
  with care.
- Start it.

| part | price |
| ---- | ----- |
| coil | 12    |

Closing words
-------------

> Hot things burn. Mind
> your hands.
"""
PAGE = """<!DOCTYPE html>
<html lang="en"><head><title>Kilns &amp; ovens</title><style>p { margin: 0 }</style></head>
<body><nav><ul><li><a href="/">Home</a></li></ul></nav>
<main><h1>Kilns<a class="headerlink" href="#k">¶</a></h1>
<p>A kiln is hot. It
stays <b>hot</b> for&nbsp;hours &amp; days.</p>
<h2>Care</h2><ul><li>Sweep it.<li>Dry it.</ul>
<pre>kiln --sweep
kiln --dry</pre>
<table><tr><th>part</th><th>price</th></tr><tr><td>coil</td><td>12</td></tr></table>
<p>Close the door.</p></main>
<div class="cookie-banner">We use cookies.</div></body></html>
"""
MANUAL = """\
.TH KILN 1
.SH NAME
kiln \\- fire clay
.SH OPTIONS
.TP
.B \\-h
Heat it until the cone
falls over.
.SH EXAMPLES
.nf
kiln -h
.fi
"""
SUBTITLES = """\
1
00:00:01,000 --> 00:00:03,000
ANNA: The kiln is warm and

2
00:00:03,000 --> 00:00:05,000
the cone has fallen.

3
00:00:05,000 --> 00:00:07,000
BEN: Then we wait until the morning.
"""
MESSAGE = """\
From: Anna Fell <anna@example.org>
To: Ben Moss <ben@example.org>
Subject: =?utf-8?q?The_k=C3=BChn_kiln?=
Date: Mon, 3 Mar 2025 10:00:00 +0000
Content-Type: text/plain; charset=utf-8

Dear Ben, the kiln has to be swept before the next firing, and the
door no longer closes as it should.

> Shall I order a new seal for it, or will the old one do for
> another year?

Order it, please. The old one is as hard as stone.

--
Anna
"""
NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def packed(parts: dict[str, str | bytes]) -> bytes:
    """Return a ZIP archive."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            packing = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, content, packing)
    return raw.getvalue()


def docx(body: str) -> bytes:
    """Return a Word file with this body and a style of headings that has another id than its name."""
    styles = (
        f'<w:styles {NAMESPACE}><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:styleId="Sub"><w:name w:val="mine"/><w:basedOn w:val="berschrift1"/>'
        '<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>'
    )
    document = f"<w:document {NAMESPACE}><w:body>{body}</w:body></w:document>"
    return packed({"[Content_Types].xml": "<Types/>", "word/document.xml": document, "word/styles.xml": styles})


def paragraph(text: str, style: str = "") -> str:
    """Return a paragraph of Word's."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


def pdf(pages: list[list[tuple[float, str]]]) -> bytes:
    """Return a PDF with lines of (size, text) on each page, set in Helvetica, by hand; a tab begins a cell."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in enumerate(pages):
        place, drawn = 740.0, []
        for size, text in lines:
            place -= 1.2 * size if text else 12
            for cell, shown in enumerate(text.split("\t") if text else []):
                drawn.append(f"BT /F1 {size} Tf {72 + 150 * cell} {place:.1f} Td ({shown}) Tj ET")
        stream = "\n".join(drawn)
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    found, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(found))
        found += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer << /Size {len(objects) + 1} /Root 1 0 R >>\n"
    )
    return (found + end + f"startxref\n{len(found)}\n%%EOF\n").encode("latin-1")
