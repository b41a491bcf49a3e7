"""Train on a machine that has torch and numpy alone: ``python -m sector.training PREPARED.npz --output RUN``.

On several devices: ``torchrun --nproc_per_node N -m sector.training …``, where a batch is shared by the N processes.
The weights it writes become a model folder with ``sector export RUN`` where the rest of sector is installed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from sector.errors import ConfigError, DataError, SectorError
from sector.training import distributed
from sector.training.config import TrainingConfig
from sector.training.prepared import PreparedData
from sector.training.taught_by_run import taught_by_run
from sector.training.trainer import Trainer
from sector.training.weights import save_weights


def _options(pairs: list[str]) -> dict[str, Any]:
    """Read NAME=VALUE pairs as TOML values, so that numbers, true and bare words mean what they say."""
    strings = {field.name for field in fields(TrainingConfig) if field.type == "str"}
    options: dict[str, Any] = {}
    for pair in pairs:
        name, _, value = pair.partition("=")
        try:
            options[name] = value if name in strings else tomllib.loads(f"x = {value}")["x"]
        except tomllib.TOMLDecodeError:
            raise SystemExit(f"error: {pair!r} is not NAME=VALUE") from None
    return options


def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(prog="python -m sector.training", description=__doc__)
    parser.add_argument("prepared", type=Path, nargs="+", help="several, prepared together, share a reader")
    parser.add_argument("--output", type=Path, required=True, help="folder for weights.npz and checkpoints")
    parser.add_argument("--set", dest="options", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--weight", type=float, action="append", default=[], help="of each file's loss, in order")
    parser.add_argument("--share", type=float, action="append", default=[], help="of each file's documents per epoch")
    parser.add_argument(
        "--teacher", type=Path, action="append", default=[], help="a finished run that teaches each file"
    )
    parser.add_argument("--device", default="auto")
    parser.add_argument("--resume", action="store_true")
    arguments = parser.parse_args()
    with distributed.joined():
        try:
            train(arguments)
        except SectorError as error:
            sys.exit(f"error: {error}" if distributed.leads() else 1)


def train(arguments: argparse.Namespace) -> None:
    """Train on one file, or on several together; weights go into a folder per file where there are several."""
    config = TrainingConfig.from_dict(_options(arguments.options))
    arguments.output.mkdir(parents=True, exist_ok=True)
    sets = _load(arguments.prepared)
    for name in ("weight", "share", "teacher"):
        given = getattr(arguments, name)
        if given and len(given) != len(sets):
            raise ConfigError(f"There are {len(sets)} files and {len(given)} {name}s; give one for each file.")
    device = distributed.own_device(arguments.device)
    if arguments.teacher:
        sets = [taught_by_run(one, run, device) for one, run in zip(sets, arguments.teacher, strict=True)]
    trainer = Trainer(sets, config, device, weights=arguments.weight, shares=arguments.share)
    found = trainer.run_all(
        arguments.output,
        arguments.resume,
        lambda entry: print(json.dumps(entry), file=sys.stderr, flush=True),
    )
    for path, trained in zip(arguments.prepared, found if distributed.leads() else [], strict=distributed.leads()):
        folder = arguments.output / path.resolve().parent.name if len(sets) > 1 else arguments.output
        folder.mkdir(exist_ok=True)
        save_weights(folder / "weights.npz", trained, config)


def _load(paths: list[Path]) -> list[PreparedData]:
    """Read the files; several were prepared together, and one of them has the features of all."""
    if len({path.resolve().parent.name for path in paths}) < len(paths):
        raise ConfigError("Several files must lie in folders of different names: their weights will too.")
    sets = [PreparedData.load(path) for path in paths]
    found = [one.features for one in sets if one.features.is_whole]
    if not found:
        raise DataError("There are no word features in it; give the file of the recipe's first task as well.")
    return [replace(one, features=found[0]) for one in sets]


if __name__ == "__main__":
    main()
