"""Clients of the service that cost little themselves: prepared bytes over kept connections, in a process of their own.

    python -m speed.clients PORT FILE.json [--clients 16 | --rate 20] [--seconds 10 | --requests 480]

FILE.json is a list of bodies. What is printed is a JSON object: how often each status came, seconds, latencies.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def request(body: object) -> bytes:
    content = json.dumps(body).encode()
    head = f"POST /v1/segment HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(content)}"
    return f"{head}\r\n\r\n".encode() + content


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
    lengths = [int(line.split(b":")[1]) for line in head if line.lower().startswith(b"content-length")]
    return int(head[0].split()[1]), await reader.readexactly(lengths[0])


@dataclass
class Tried:
    """What came of the requests."""

    port: int
    statuses: Counter[str] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)

    async def ask(self, content: bytes, connection: Connection | None = None) -> None:
        begun = time.perf_counter()
        try:
            reader, writer = connection or await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(content)
            status, _ = await answer(reader)
            self.statuses[str(status)] += 1
            if connection is None:
                writer.close()
        except (OSError, asyncio.IncompleteReadError) as error:
            self.statuses[type(error).__name__] += 1
        self.latencies.append(time.perf_counter() - begun)

    async def client(self, contents: list[bytes], until: float) -> None:
        """Ask again and again on one connection, as long as there is something to ask."""
        connection = await asyncio.open_connection("127.0.0.1", self.port)
        while contents and time.perf_counter() < until:
            await self.ask(contents.pop(), connection)
        connection[1].close()

    async def steadily(self, contents: list[bytes], rate: float, seconds: float) -> None:
        """Ask so many times a second, whatever comes back; every request has a connection of its own."""
        begun, tasks = time.perf_counter(), []
        for number in range(round(rate * seconds)):
            await asyncio.sleep(max(0.0, begun + number / rate - time.perf_counter()))
            tasks.append(asyncio.create_task(self.ask(contents[number % len(contents)])))
        await asyncio.gather(*tasks)


async def run(options: argparse.Namespace) -> dict[str, object]:
    contents = [request(body) for body in json.loads(options.file.read_text(encoding="utf-8"))]
    tried, begun = Tried(options.port), time.perf_counter()
    if options.rate:
        await tried.steadily(contents, options.rate, options.seconds)
    else:
        left = [contents[number % len(contents)] for number in range(options.requests)]
        await asyncio.gather(*(tried.client(left, begun + options.seconds) for _ in range(options.clients)))
    taken, ordered = time.perf_counter() - begun, sorted(tried.latencies)
    places = {"p50": 0.5, "p99": 0.99, "most": 1.0}
    latencies = {name: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for name, share in places.items()}
    return {"statuses": dict(tried.statuses), "seconds": taken, **latencies}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("file", type=Path)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--rate", type=float, default=0.0)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--requests", type=int, default=10**6)
    print(json.dumps(asyncio.run(run(parser.parse_args()))))


if __name__ == "__main__":
    main()
