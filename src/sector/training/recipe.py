"""A recipe: which documents are learned from, as what, with which encoder and how.

It has one task, or several that share the encoder and train it together. In a TOML file, the options of a task stand
in a table ``[tasks.NAME]`` for each model; with one task, all stand at the top.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from sector import __version__
from sector.digests import fingerprint
from sector.errors import ConfigError, DataError
from sector.runtime.installed import find, models
from sector.tasks import TaskName, check_task
from sector.training.config import TrainingConfig

KINDS: Mapping[str, tuple[type, str]] = {
    "train": (str | Path, "a file name"),  # type: ignore[dict-item]
    "validation": (str | Path, "a file name"),  # type: ignore[dict-item]
    "unlabelled": (str | Path, "a file name"),  # type: ignore[dict-item]
    "more": (list, "a list of file names"),
    "task": (str, "a string"),
    "min_count": (int, "a whole number"),
    "flags": (bool, "true or false"),
    "teacher": (str, "a string"),
    "weight": (float, "a positive number"),
    "share": (float, "a positive number"),
    "encoder": (str, "a string"),
    "encoder_options": (dict, "a table"),
    "language": (str, "a string"),
    "tower": (str, "a string"),
    "space_of": (str, "a string"),
}
"""What the options are, beside those of `TrainingConfig`."""
SHARED = ("encoder", "encoder_options", "language", "tower", "space_of")
"""Options that all tasks have in common."""
FILES = ("train", "validation", "unlabelled")


@dataclass(frozen=True, slots=True)
class TaskRecipe:
    """One model of a recipe."""

    train: Path
    validation: Path | None = None
    unlabelled: Path | None = None
    """Documents that the teacher alone says something of; their own sections are not looked at."""
    more: tuple[Path, ...] = ()
    """Other files of training documents."""
    task: TaskName = "topics"
    """``topics``, ``headings`` or ``open``"""
    min_count: int = 3
    """How often a heading word must occur in training to be learned. Only for headings."""
    flags: bool = False
    """Let the network see paragraph ends, list items and the document's ends."""
    teacher: str = ""
    """A model, by its name or folder, whose probabilities are learned too."""
    weight: float = 1.0
    """How much its loss counts beside that of the others."""
    share: float = 1.0
    """Which part of its training documents, another one in each epoch, is read: less time for a large data set."""

    @property
    def sources(self) -> dict[str, Path]:
        """The files that are read, by the name of their split."""
        return {name: path for name in FILES if (path := getattr(self, name))}


OWN = tuple(entry.name for entry in fields(TaskRecipe))


@dataclass(frozen=True, slots=True)
class Recipe:
    """Tasks by name, the encoder they share and how they are trained; the name of a lone task is empty."""

    tasks: Mapping[str, TaskRecipe]
    encoder: str = "bloom"
    encoder_options: Mapping[str, Any] = field(default_factory=dict)
    language: str = ""
    tower: str = ""
    """Only for the task ``open``: a model, by its name or folder, whose pretrained encoder reads the headings."""
    space_of: str = ""
    """Only for the task ``open``, in the place of a tower: a model in whose space of headings sections are put."""
    training: TrainingConfig = field(default_factory=TrainingConfig)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], data: Path = Path()) -> Recipe:
        """Read a recipe from TOML or JSON; names of files are taken from the folder ``data`` on.

        Raises ConfigError for an option that does not exist or has a value that it cannot have.
        """
        rest = dict(record)
        shared = {name: _checked(name, rest.pop(name), "") for name in SHARED if name in rest}
        if "tasks" in rest:
            tables = rest.pop("tasks")
            if not isinstance(tables, dict) or not tables:
                raise ConfigError("'tasks' must be tables: [tasks.NAME] for each model to be trained.")
        else:
            tables = {"": {name: rest.pop(name) for name in OWN if name in rest}}
        tasks = {name: _task(name, table, data) for name, table in tables.items()}
        if any(task.task == "open" and task.teacher not in ("", shared.get("space_of")) for task in tasks.values()):
            raise ConfigError(
                "A teacher of open vocabulary puts sections into its own space: name it as 'space_of' too."
            )
        return cls(tasks, training=TrainingConfig.from_dict(rest), **shared)

    @property
    def is_multitask(self) -> bool:
        """Whether tasks have names, and folders of their own."""
        return "" not in self.tasks

    def located_options(self) -> dict[str, Any]:
        """Return the encoder's options with the folder of an embedded model in the place of its name."""
        model = self.encoder_options.get("model")
        known = isinstance(model, str) and model in models()
        return dict(self.encoder_options) | ({"model": str(find(str(model)).path)} if known else {})

    def key(self) -> str:
        """Return a name that changes with the files, with what is made of them, and with the version: a cache's key.

        Raises DataError for a file that is not there, ModelError for a teacher that is none.
        """
        files = [path for task in self.tasks.values() for path in (*task.sources.values(), *task.more)]
        options = self.located_options()
        vectors, model = options.get("vectors"), options.get("model")
        files += [Path(vectors)] if isinstance(vectors, str | Path) else []
        files += [Path(model)] if isinstance(model, str | Path) and Path(model).exists() else []
        files += [find(task.teacher).path for task in self.tasks.values() if task.teacher]
        files += [find(self.space_of).path] if self.space_of else []
        made_of = ("task", "min_count", "flags", "teacher")
        tasks = {
            name: [sorted(task.sources), *(getattr(task, option) for option in made_of)]
            for name, task in self.tasks.items()
        }
        chosen = [self.encoder, dict(self.encoder_options), self.language, self.tower, self.space_of]
        return fingerprint([__version__, [stamp for path in files for stamp in _stamps(path)], tasks, chosen])


def data_name(path: Path) -> str:
    """Return a data file's name without its endings: all of its path that may stand in a card."""
    return path.name.split(".")[0]


def _task(name: str, table: Any, data: Path) -> TaskRecipe:
    where = f" of [tasks.{name}]" if name else ""
    if name in (".", "..") or Path(name).name != name:
        raise ConfigError(f"The recipe's task {name!r} cannot be the name of a folder; choose another.")
    if not isinstance(table, dict) or "train" not in table:
        raise ConfigError(f"The recipe's [tasks.{name}] needs 'train', the file of its training documents.")
    unknown = [option for option in table if option not in OWN]
    if unknown:
        raise ConfigError(f"[tasks.{name}] has no option '{unknown[0]}'; its options are: {', '.join(OWN)}.")
    values = {option: _checked(option, value, where) for option, value in table.items()}
    if values.get("share", 1.0) > 1:
        raise ConfigError(f"The option 'share'{where} is {values['share']!r}; it must be at most 1.")
    if values.get("unlabelled") and not values.get("teacher"):
        raise ConfigError("Unlabelled documents teach nothing by themselves; name a teacher: --teacher MODEL.")
    values["task"] = check_task(values.get("task", "topics"))
    values["more"] = tuple(data / str(path) for path in values.get("more", ()))
    return TaskRecipe(**values | {option: data / values[option] for option in FILES if values.get(option)})


def _checked(name: str, value: Any, where: str) -> Any:
    """Return the value of an option if it is of its kind."""
    kind, described = KINDS[name]
    if kind is float:
        right = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    else:
        right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if not right:
        raise ConfigError(f"The option '{name}'{where} must be {described}, not {value!r}.")
    return value


def _stamps(path: Path) -> list[tuple[str, int, int]]:
    """Return the size and the time of a file, or of every file in a folder."""
    if not path.exists():
        raise DataError("There is no such file or folder; check the path.", file=path)
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    return [(str(file.resolve()), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
