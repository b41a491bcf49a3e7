"""The same bits from every thread, process and way to start one, whatever else runs beside it."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import sector
from sector.runtime import Model
from tiny import HELD_OUT, record

TEXTS = [HELD_OUT, *(str(record(number)["text"]) for number in range(5)), "", "One.", "A\n\nB\n\nC. " * 40]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"max_chars": 80},
    {"segmentation": "emd"},
    {"segmentation": "newline", "merge": True},
]


def answers(model: Model) -> list[str]:
    """Return what the model says of every text with all options, in three ways."""
    found = [model.segment(text, **options).to_json(None) for options in OPTIONS for text in TEXTS]
    found += [document.to_json(None) for document in model.segment_all(TEXTS, batch_size=4)]
    return found + [repr(model.chunk(text, 30)) for text in TEXTS]


def test_threads_that_run_into_one_another(tiny_model: Path) -> None:
    model = sector.load(tiny_model)
    expected, before = answers(model), sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(6) as pool:
            assert all(found == expected for found in pool.map(lambda _: answers(model), range(6)))
    finally:
        sys.setswitchinterval(before)


@pytest.mark.parametrize("way", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_processes_that_are_forked_or_spawned(way: str, tiny_model: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("processes are not forked there")
    model = sector.load(tiny_model)
    expected = answers(model)  # its threads have run before the fork
    with ProcessPoolExecutor(1, mp_context=get_context(way)) as pool:
        assert pool.submit(answers, model).result(timeout=300) == expected
    assert answers(model) == expected


def test_processes_with_other_hashes_and_threads(tiny_model: Path) -> None:
    code = (
        "import pathlib, sector, sys\n"
        "sys.stdout.reconfigure(encoding='utf-8')\n"
        f"print(sector.load({str(tiny_model)!r}).segment({HELD_OUT!r}).to_json(None))\n"
    )
    expected = sector.load(tiny_model).segment(HELD_OUT).to_json(None)
    for seed, threads in (("1", "1"), ("77", "3")):
        others = os.environ | {"PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads}
        done = subprocess.run([sys.executable, "-c", code], env=others, capture_output=True, encoding="utf-8")
        assert done.stdout.strip() == expected, done.stderr


INSTRUCTIONS = {
    "numpy without AVX": {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL"},
    "OpenBLAS of 2004": {"OPENBLAS_CORETYPE": "Prescott"},
    "OpenBLAS of 2013": {"OPENBLAS_CORETYPE": "Haswell"},
    "C library without AVX": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512F,-FMA,-ERMS"},
}
"""What a process is told to do without; onnxruntime asks the processor alone."""
ROUNDING = 1e-5


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="other processors have other names for these")
@pytest.mark.parametrize("instructions", INSTRUCTIONS)
def test_processors_with_other_instructions(instructions: str, tiny_model: Path, tmp_path: Path) -> None:
    """The same sections and labels; probabilities may differ in their last digits."""
    (tmp_path / "texts.json").write_text(json.dumps(TEXTS))
    code = (
        "import json, sector, sys\n"
        f"model = sector.load({str(tiny_model)!r})\n"
        f"texts = json.load(open({str(tmp_path / 'texts.json')!r}))\n"
        "print(json.dumps([model.segment(text).to_dict(None) for text in texts]))\n"
    )
    environment = os.environ | INSTRUCTIONS[instructions]
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, encoding="utf-8")
    model = sector.load(tiny_model)
    for text, found in zip(TEXTS, json.loads(done.stdout), strict=True):
        for expected, section in zip(model.segment(text).to_dict(None)["sections"], found["sections"], strict=True):
            assert [section[name] for name in ("begin", "end", "label", "text")] == [
                expected[name] for name in ("begin", "end", "label", "text")
            ]
            assert section["scores"] == pytest.approx(expected["scores"], abs=ROUNDING)


def test_the_number_of_cores_changes_nothing(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, found = sector.load(tiny_model), []
    for cores in ("1", "2"):
        monkeypatch.setenv("SECTOR_CORES", cores)
        found.append(answers(model))
    assert found[0] == found[1]
