"""Which public data sets `sector data fetch` knows: where they lie and what is taken from them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PublicData:
    """An archive on the web."""

    url: str
    file: str
    """The name that the archive gets here."""
    folder: str = ""
    """The folder inside the archive that holds the data; all of it when empty."""
    sha256: str = ""
    """The archive's checksum; empty where none was published, or where the server builds archives anew."""
    note: str = ""
    """What to know before use: licence and origin."""


PUBLIC_DATA: dict[str, PublicData] = {
    "wikisection": PublicData(
        "https://raw.githubusercontent.com/sebastianarnold/WikiSection/master/wikisection_dataset_json.tar.gz",
        "wikisection_dataset_json.tar.gz",
        sha256="f37810a95702737b153a3034dbb877d08ecc699900f1a01c70110d47a5a016b8",
        note="WikiSection (Arnold et al., 2019), text from Wikipedia, CC BY-SA 3.0.",
    ),
    "wiki727": PublicData(
        "https://www.dropbox.com/sh/k3jh0fjbyr0gw0a/AACKW_gsxUf282QqrfH3yD10a/wiki_727K.tar.bz2?dl=1",
        "wiki_727K.tar.bz2",
        note="Wiki-727K (Koshorek et al., 2018), text from Wikipedia; 1.6 GB, 727,746 files once unpacked.",
    ),
    "choi": PublicData(
        "https://codeload.github.com/koomri/text-segmentation/tar.gz/410c2aff2d3406271a8a3ddc1a8422b26a7030c3",
        "koomri-text-segmentation.tar.gz",
        folder="data/choi",
        note="Choi's artificial documents (2000), sentences of the Brown corpus.",
    ),
    "clinical": PublicData(
        "https://codeload.github.com/jacobeisenstein/bayes-seg/tar.gz/refs/heads/master",
        "bayes-seg.tar.gz",
        folder="data/books/clinical",
        note="The clinical textbook of Eisenstein and Barzilay (2008), for research.",
    ),
}
