"""The package as a whole: what it imports, and that the embedded models work without any extra."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

import sector
from sector.runtime.languages import model_for
from sector.text.language import detect_language

ROOT = Path(__file__).parent.parent
CORE = ("numpy", "onnxruntime", "rich", "sentencex", "typer")


def needed(distributions: Iterable[str]) -> set[str]:
    """Return these distributions and all that they need, without extras."""
    found, waiting = set[str](), list(distributions)
    while waiting:
        name = re.sub("[-_.]+", "-", waiting.pop()).lower()
        if name not in found:
            found.add(name)
            with suppress(PackageNotFoundError):
                waiting += [
                    re.split("[^A-Za-z0-9._-]", line)[0] for line in requires(name) or () if "extra ==" not in line
                ]
    return found


def foreign() -> tuple[str, ...]:
    """Return every module that is installed here and that no installation without extras has."""
    core = needed(["sector-nlp", *CORE])
    owners = packages_distributions().items()
    return tuple(name for name, owned in owners if not core & {re.sub("[-_.]+", "-", each).lower() for each in owned})


def test_what_no_user_needs_is_foreign() -> None:
    assert {"pytest", "hypothesis", "torch"} <= set(foreign())
    assert not {"numpy", "onnxruntime", "sector", "sentencex"} & set(foreign())


def run(code: str, without: tuple[str, ...]) -> str:
    """Run code in a new interpreter in which these packages cannot be imported."""
    blocked = f"import sys; sys.modules.update(dict.fromkeys({without!r}))\n"
    done = subprocess.run([sys.executable, "-c", blocked + code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_sector_imports_nothing_heavy() -> None:
    heavy = ("torch", "onnxruntime", "rich", "typer", "sentencex", "numpy")
    code = f"import sector; print([name for name in {heavy!r} if name in sys.modules])"
    assert run(code, ()) == "[]"


MODELS = ["de_wiki", "en", "en_accurate", "en_city", "en_city_accurate", "en_disease", "en_disease_accurate"]


EXAMPLES = {"de_wiki": "weberstadt.txt", "en_city": "harbour-town.txt", "en_city_accurate": "harbour-town.txt"}


@pytest.mark.parametrize("model", MODELS)
def test_embedded_models_work_without_any_extra(model: str) -> None:
    code = (
        "import sector, pathlib\n"
        f"text = pathlib.Path('examples/{EXAMPLES.get(model, 'migraine.txt')}').read_text()\n"
        f"document = sector.load({model!r}).segment(text)\n"
        "print(len(document.sections) > 2, ''.join(s.text for s in document.sections) == text)"
    )
    assert run(code, foreign()) == "True True"


def test_training_needs_torch_and_numpy_alone() -> None:
    code = "import sector.training.__main__, sector.training.predict, sector.evaluation; print('ok')"
    others = ("sentencex", "typer", "rich", "onnxruntime", "onnx", "safetensors", "gensim", "pyarrow")
    assert run(code, others) == "ok"


def test_the_embedded_models_fit_the_examples() -> None:
    assert sector.models() == MODELS
    town = (ROOT / "examples" / "harbour-town.txt").read_text(encoding="utf-8")
    disease = (ROOT / "examples" / "migraine.txt").read_text(encoding="utf-8")
    for tier in ("", "_accurate"):
        labels = [section.label for section in sector.load(f"en_city{tier}").segment(town).sections]
        assert {"city.history", "city.geography", "city.climate", "city.education", "city.sport"} <= set(labels)
        labels = [section.label for section in sector.load(f"en_disease{tier}").segment(disease).sections]
        assert labels[0] == "disease.symptom"
        assert {"disease.diagnosis", "disease.treatment", "disease.history"} <= set(labels)


def test_the_german_model_fits_its_example() -> None:
    text = (ROOT / "examples" / "weberstadt.txt").read_text(encoding="utf-8")
    labels = [section.label.split("/")[0] for section in sector.load("de_wiki").segment(text).sections]
    assert labels[0] in ("etymologie", "name")
    assert {"geographie", "geschichte", "politik"} <= set(labels)


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "sector", "--version"], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, f"sector {sector.__version__}\n")


def test_every_name_of_the_package_is_there() -> None:
    for name in sector.__all__:
        assert getattr(sector, name) is not None
    with pytest.raises(AttributeError, match="segmentize"):
        sector.segmentize  # noqa: B018


def test_embedded_models_stay_small() -> None:
    folder = Path(sector.__file__).parent / "models"
    sizes = {file: file.stat().st_size for file in folder.rglob("*")}
    accurate = {file for file in sizes if file.parent.name.endswith(("_accurate", "_encoder"))}
    assert sum(sizes.values()) < 80e6
    assert sum(size for file, size in sizes.items() if file not in accurate) < 35e6


def test_every_example_is_divided_exactly() -> None:
    examples = sorted(path for path in (ROOT / "examples").iterdir() if path.suffix != ".jsonl")
    assert {path.suffix for path in examples} >= {".eml", ".html", ".md", ".rst", ".txt"}
    for path in examples:
        text = path.read_text(encoding="utf-8")
        document = sector.load(model_for(detect_language(text))).segment(text)
        assert len(document.sections) >= 2, path.name
        assert "".join(section.text for section in document.sections) == text
