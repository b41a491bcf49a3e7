"""Requests that are tried again: how often, after what, and what is said in the end."""

from __future__ import annotations

import urllib.error
from collections.abc import Callable
from email.message import Message

import pytest

from sector.http import PassingError, RequestError, is_address, retried


def failing(*failures: Exception) -> Callable[[], str]:
    waiting = list(failures)

    def attempt() -> str:
        if waiting:
            raise waiting.pop(0)
        return "answer"

    return attempt


def answered(code: int) -> urllib.error.HTTPError:
    return urllib.error.HTTPError("http://a", code, "Reason", Message(), None)


PASSING = [answered(503), urllib.error.URLError("no route"), TimeoutError("slow"), PassingError("cut")]


@pytest.mark.parametrize("failure", PASSING)
def test_what_may_pass_is_tried_again(failure: Exception) -> None:
    assert retried(failing(failure, failure), tries=3, wait=0) == "answer"


@pytest.mark.parametrize("failure", PASSING)
def test_tries_are_used_up(failure: Exception) -> None:
    with pytest.raises(RequestError, match=r"503|no route|slow|cut"):
        retried(failing(failure, failure, failure), tries=3, wait=0)


def test_a_final_answer_is_not_tried_again() -> None:
    with pytest.raises(RequestError, match="the server answered 404 Reason"):
        retried(failing(answered(404)), tries=3, wait=0)


def test_an_address_that_cannot_be_asked() -> None:
    with pytest.raises(RequestError, match="no address"):
        retried(failing(ValueError("Invalid IPv6 URL")), tries=3, wait=0)


def test_waiting_doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    retried(failing(*PASSING[1:]), tries=4, wait=0.5)
    assert waited == [0, 0.5, 1.0, 2.0]


def test_addresses() -> None:
    assert is_address("https://a.org")
    assert not is_address("file:///etc/passwd")
