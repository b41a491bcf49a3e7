"""Documents for the tests of baselines: two topics that share no word, and texts that a system may stumble over."""

from __future__ import annotations

from sector.document import Document, Section

WEATHER = (
    "Rain and wind came from the western sea.",
    "The storm brought rain, hail and strong wind.",
    "Wind drove the rain over the sea.",
    "After the storm the wind and the rain ceased.",
    "Hail and rain fell while the storm crossed the sea.",
    "The western wind carried rain and hail.",
)
MUSIC = (
    "The orchestra played a quiet symphony for violin.",
    "A violin and a piano opened the concert.",
    "The pianist and the orchestra practised the symphony.",
    "The concert closed with a piano sonata.",
    "Violin and piano answered the orchestra.",
    "The symphony was the heart of the concert.",
)
BAD = {
    "no text": "",
    "white space": " \n\t \n",
    "one sentence": "A single sentence stands here alone.",
    "two sentences": "One sentence. Another sentence.",
    "stop words only": "And so it was. They were not there. It is what it is. We are who we are.",
    "signs only": "!!! ??? --- ... *** ((( )))\n###\n%%%\n$$$\n",
    "unknown words": "Xqzt vlomp. Grindelf hux. Vroonk plib. Zzyk wumf.",
    "one word again and again": "word. word. word. word. word. word. word.",
}
"""What no system may stumble over."""


def two_topics(repeats: int = 1) -> Document:
    """Return a document of weather, then music, with its gold sections."""
    parts = [" ".join(part) + "\n" for _ in range(repeats) for part in (WEATHER, MUSIC)]
    text, sections = "", []
    for number, part in enumerate(parts):
        sections.append(Section(len(text), len(text) + len(part), ("weather", "music")[number % 2]))
        text += part
    return Document(text, id=f"two-{repeats}", language="en", sections=tuple(sections))


def one_topic(label: str) -> Document:
    """Return a document of one section."""
    text = " ".join(WEATHER if label == "weather" else MUSIC) + "\n"
    return Document(text, id=label, language="en", sections=(Section(0, len(text), label, source=text),))


def starts(document: Document) -> list[int]:
    """Return the sentences that begin a section of a segmented document."""
    begins = document.spans.begin.tolist()
    return [begins.index(section.begin) if section.begin else 0 for section in document.sections]
