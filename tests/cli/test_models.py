"""`sector models` and `sector info` from the outside."""

from __future__ import annotations

import json

from command import Call, call

import sector
from sector.runtime import EMBEDDED

__all__ = ["call"]


def test_models_are_listed_with_their_size(call: Call) -> None:
    records = json.loads(call("models", "--json").out)
    assert [record["name"] for record in records] == sector.models()
    for record in records:
        network = (EMBEDDED / record["name"] / "model.onnx").stat().st_size
        assert network < record["bytes"] < 60e6
        assert record["labels"] == len(sector.load(record["name"]).labels)
    table = call("models").out.splitlines()
    assert table[0].split() == ["name", "task", "language", "labels", "MB"]
    assert table[1].split()[-1] == f"{records[0]['bytes'] / 1e6:.1f}"


def test_a_shared_encoder_counts(call: Call) -> None:
    sizes = {record["name"]: record["bytes"] for record in json.loads(call("models", "--json").out)}
    encoder = (EMBEDDED / "en_encoder" / "encoder.onnx").stat().st_size
    assert sizes["en_city_accurate"] > encoder


def test_a_model_has_a_card_and_a_config(call: Call) -> None:
    name = sector.models()[0]
    assert name in call("info", name).out
    assert json.loads(call("info", name, "--json").out)["task"] == sector.load(name).task


def test_a_model_that_is_not_there(call: Call) -> None:
    answer = call("info", "en_towns")
    assert (answer.code, "There is no model 'en_towns'" in answer.err) == (1, True)
