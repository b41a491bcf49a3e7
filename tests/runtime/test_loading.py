"""How a model is found, and how it comes into another process."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import sector
from sector.runtime import default_model
from tiny import HELD_OUT


def test_without_a_name_it_is_the_default_model() -> None:
    assert sector.load().name == default_model()


def test_a_model_is_pickled_by_its_path() -> None:
    model = sector.load("en_city")
    pickled = pickle.dumps(model)
    assert len(pickled) < 1000
    expected = model.segment(HELD_OUT).to_dict()
    assert pickle.loads(pickled).segment(HELD_OUT).to_dict() == expected
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(model.segment, HELD_OUT).result().to_dict() == expected
