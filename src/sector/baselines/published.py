"""Figures that others published, to stand beside ours; data sets of one name may differ, which each table must say.

Of Arnold et al. (2019), Tables 3 to 5, unless another source is named.
"""

from __future__ import annotations

TOPICS = {
    ("PV>T", "newline"): {"en_disease": "35.6 / 31.7 / 47.2", "en_city": "22.5 / 52.9 / 63.9"},
    ("CNN>T", "newline"): {"en_disease": "31.5 / 40.4 / 55.6", "en_city": "13.2 / 66.3 / 76.1"},
    ("SEC>T+bow", "newline"): {"en_disease": "25.8 / 54.7 / 68.4", "en_city": "21.0 / 43.7 / 55.3"},
    ("SEC>T+bloom", "newline"): {"en_disease": "22.7 / 59.3 / 71.9", "en_city": "9.8 / 74.9 / 82.6"},
    ("SEC>T+emb", "newline"): {"en_disease": "22.5 / 58.7 / 71.4", "en_city": "10.7 / 74.1 / 82.2"},
    ("C99", ""): {"en_disease": "37.4", "en_city": "36.8"},
    ("TopicTiling", ""): {"en_disease": "43.4", "en_city": "30.5"},
    ("TextSeg", ""): {"en_disease": "24.3", "en_city": "19.3"},
    ("PV>T", "max"): {"en_disease": "43.6 / 20.4 / 36.5", "en_city": "31.1 / 28.1 / 43.1"},
    ("PV>T", "emd"): {"en_disease": "39.2 / 32.9 / 49.3", "en_city": "24.9 / 53.1 / 65.1"},
    ("CNN>T", "max"): {"en_disease": "40.1 / 26.9 / 45.0", "en_city": "21.9 / 42.1 / 58.7"},
    ("SEC>T+bow", "max"): {"en_disease": "30.1 / 40.9 / 58.5", "en_city": "24.5 / 28.4 / 43.5"},
    ("SEC>T+bloom", "max"): {"en_disease": "27.9 / 49.6 / 64.7", "en_city": "12.7 / 63.3 / 74.3"},
    ("SEC>T+bloom", "emd"): {"en_disease": "29.7 / 52.8 / 67.5", "en_city": "16.4 / 65.8 / 77.3"},
    ("SEC>T+bloom", "bemd"): {"en_disease": "26.8 / 56.6 / 70.1", "en_city": "14.4 / 71.6 / 80.9"},
    ("SEC>T+bloom+rank", "bemd"): {"en_disease": "26.8 / 56.7 / 68.8", "en_city": "15.7 / 71.1 / 79.1"},
    ("SEC>T+emb", "bemd"): {"en_disease": "26.3 / 55.8 / 69.4", "en_city": "15.5 / 71.6 / 81.0"},
}
HEADINGS = {
    ("CNN>H", "max"): {"en_disease": "40.9 / 36.7 / 31.5", "en_city": "36.9 / 43.3 / 46.7"},
    ("SEC>H+bloom", "bemd"): {"en_disease": "35.4 / 35.8 / 38.2", "en_city": "20.0 / 65.2 / 62.0"},
    ("SEC>H+bloom+rank", "bemd"): {"en_disease": "40.2 / 47.8 / 49.0", "en_city": "41.9 / 66.8 / 59.0"},
    ("SEC>H+emb", "bemd"): {"en_disease": "30.7 / 50.5 / 57.3", "en_city": "17.9 / 72.3 / 71.1"},
    ("SEC>H+emb+rank", "bemd"): {"en_disease": "30.5 / 47.6 / 48.9", "en_city": "16.1 / 65.8 / 59.0"},
}
SEGMENTATION = {
    ("GraphSeg", ""): {"wiki50": "63.6"},
    ("BayesSeg", ""): {"wiki50": "49.2", "clinical": "57.8"},
    ("BayesSeg, number of segments known", ""): {"clinical": "33.9 (Eisenstein and Barzilay 2008)"},
    ("TextSeg", ""): {"wiki50": "18.2", "clinical": "30.8"},
    ("sector en_wiki", "bemd"): {"wiki50": "28.6 (SEC>H+emb@fullwiki)", "clinical": "36.9 (SEC>H+emb@fullwiki)"},
    ("C99, number of segments known", ""): {"choi": "12 (3-11; Choi 2000)"},
    ("C99", ""): {"choi": "13 (3-11; Utiyama and Isahara 2001)"},
}
TABLES = {"topics": (TOPICS, SEGMENTATION), "headings": (HEADINGS, SEGMENTATION)}


def published(task: str, title: str, segmentation: str, data: str) -> str:
    """Return what was published for a row on a data set, or nothing; splits of a data set are not told apart."""
    name = next((found for found in ("en_disease", "en_city", "wiki50", "clinical", "choi") if found in data), "")
    for table in TABLES.get(task, ()):
        if name in table.get((title, segmentation), {}):
            return table[title, segmentation][name]
    return ""
