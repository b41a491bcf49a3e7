"""The OpenAPI document: requests made from it, right and wrong ones, get answers that it describes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from service import address

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis makes the requests")
OPERATIONS = {
    ("POST", "/v1/segment"): 40,
    ("POST", "/v1/chunk"): 40,
    ("GET", "/v1/models"): 3,
    ("GET", "/v1/models/{name}"): 15,
    ("GET", "/health"): 3,
    ("GET", "/ready"): 3,
    ("GET", "/metrics"): 3,
}
"""Every operation, with the number of requests that are made."""

__all__ = ["address"]


@pytest.fixture(scope="module")
def api(address: str) -> Any:
    return schemathesis.openapi.from_url(f"{address}/openapi.json")


def test_every_operation_is_tried(api: Any) -> None:
    found = {(entry.ok().method.upper(), entry.ok().path) for entry in api.get_all_operations()}
    assert found == set(OPERATIONS)


@pytest.mark.parametrize("operation", OPERATIONS, ids=" ".join)
@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_every_answer_is_described(api: Any, operation: tuple[str, str], mode: str) -> None:
    method, path = operation
    if mode == "negative" and method == "GET":
        pytest.skip("there is nothing that could be wrong about the request")
    generation = schemathesis.GenerationMode(mode)
    excluded = [schemathesis.checks.positive_data_acceptance]  # an option may not fit the model

    @hypothesis_settings(
        max_examples=OPERATIONS[operation], derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.data())
    def ask(data: st.DataObject) -> None:
        case = data.draw(api[path][method].as_strategy(generation_mode=generation))
        response = case.call()
        too_large = [schemathesis.checks.negative_data_rejection] if response.status_code == 413 else []
        case.validate_response(response, excluded_checks=excluded + too_large)

    ask()
