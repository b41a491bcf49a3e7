"""Several processes: the weights of one, the result of an uninterrupted run, files written once."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from synthetic import prepared
from torch import distributed
from torch.multiprocessing.spawn import spawn

from sector.errors import ConfigError
from sector.training.batches import lay_out
from sector.training.checkpoint import read_arrays
from sector.training.config import TrainingConfig
from sector.training.distributed import Parallel, part_of
from sector.training.trainer import Trainer
from sector.training.weights import save_weights

WORLD = 2
# 12 documents in batches of 5: the last one has two, the second of three tasks' batches has documents for both.
CONFIG = TrainingConfig(
    hidden=16, embedding=8, epochs=4, patience=9, learning_rate=1e-2, warmup=3, batch=5, boundary=0.5, averaging=0.9
)
EXACT = replace(CONFIG, dropout=0.0)


class KilledError(Exception):
    pass


def _run(folder: Path, name: str, config: TrainingConfig, resume: bool = False) -> None:
    data = [prepared(), prepared("headings", documents=6)]
    trained = Trainer(data, config, "cpu").run_all(folder / name, resume)
    if not distributed.is_initialized() or distributed.get_rank() == 0:
        for number, each in enumerate(trained):
            save_weights(folder / f"{name}-{number}.npz", each, config)


def _worker(rank: int, port: int, folder: Path) -> None:
    torch.set_num_threads(1)
    address = f"tcp://127.0.0.1:{port}"
    distributed.init_process_group("gloo", init_method=address, rank=rank, world_size=WORLD)
    try:
        _run(folder, "exact", EXACT)
        _run(folder, "whole", CONFIG)
        _interrupted(folder)
        _run(folder, "killed", CONFIG, resume=True)
        if rank == 1:  # sees a folder in which the first process does not write
            folder = folder / "elsewhere"
        with pytest.raises(ConfigError, match="all machines share"):
            _run(folder, "whole", CONFIG, resume=True)
    finally:
        distributed.destroy_process_group()


def _interrupted(folder: Path) -> None:
    begin = Parallel.begin_epoch

    def kill(self: Parallel, seed: int, epoch: int) -> None:
        if epoch == 2:
            raise KilledError
        begin(self, seed, epoch)

    Parallel.begin_epoch = kill  # type: ignore[method-assign]
    with pytest.raises(KilledError):
        _run(folder, "killed", CONFIG)
    Parallel.begin_epoch = begin  # type: ignore[method-assign]


def _free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])


def _weights(path: Path) -> dict[str, NDArray[np.float32]]:
    return read_arrays(path)[0]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for name in ("exact", "whole", "killed", "alone", "elsewhere/whole"):
        (folder / name).mkdir(parents=True)
    spawn(_worker, (_free_port(), folder), nprocs=WORLD)  # type: ignore[no-untyped-call]
    _run(folder, "alone", EXACT)
    return folder


@pytest.mark.parametrize("task", [0, 1])
def test_two_processes_give_the_weights_of_one(runs: Path, task: int) -> None:
    shared, alone = _weights(runs / f"exact-{task}.npz"), _weights(runs / f"alone-{task}.npz")
    assert shared.keys() == alone.keys()
    for name, value in alone.items():
        np.testing.assert_allclose(shared[name], value, rtol=1e-4, atol=1e-5, err_msg=name)


def test_two_processes_report_the_loss_of_one(runs: Path) -> None:
    shared, alone = (read_arrays(runs / name / "checkpoint.npz")[1]["history"] for name in ("exact", "alone"))
    assert [entry["loss"] for entry in shared] == pytest.approx([entry["loss"] for entry in alone], rel=1e-4)


@pytest.mark.parametrize("task", [0, 1])
def test_a_resumed_run_ends_in_the_same_bytes(runs: Path, task: int) -> None:
    whole, resumed = _weights(runs / f"whole-{task}.npz"), _weights(runs / f"killed-{task}.npz")
    assert all(np.array_equal(value, resumed[name]) for name, value in whole.items())
    unlike = _weights(runs / f"exact-{task}.npz")
    assert any(not np.array_equal(value, unlike[name]) for name, value in whole.items())


def test_the_parts_of_a_batch_are_the_batch() -> None:
    begins, lengths = np.array([40, 0, 7, 20]), np.array([3, 1, 4, 9])
    batch = lay_out(begins, lengths)
    parts = [part_of(batch, rank, 3) for rank in range(3)]
    assert [weight for _, weight in parts] == [1.0, 1.0, 1.0]
    assert sorted(np.concatenate([part.sentences for part, _ in parts])) == sorted(batch.sentences)
    assert [part.documents for part, _ in parts] == [2, 1, 1]


def test_a_process_without_documents_weighs_nothing() -> None:
    batch = lay_out(np.array([5]), np.array([2]))
    assert part_of(batch, 0, 2)[1] == 1.0
    part, weight = part_of(batch, 1, 2)
    assert weight == 0.0 and part.documents == 1


def test_batches_of_another_kind_are_refused() -> None:
    with pytest.raises(ConfigError, match="one process only"):
        part_of([1, 2, 3], 0, 2)


def test_torchrun_trains(tmp_path: Path) -> None:
    prepared().save(tmp_path / "prepared.npz")
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", "2", "--master_port"]
    command += [str(_free_port()), "-m", "sector.training", str(tmp_path / "prepared.npz")]
    options = ["--set", "hidden=8", "--set", "embedding=4", "--set", "epochs=2", "--device", "cpu"]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, "--output", str(tmp_path / "run"), *options], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count('"epoch": 2') == 1
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"weights.npz", "checkpoint.npz"}
