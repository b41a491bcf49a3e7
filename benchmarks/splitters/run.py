"""Time and score splitters side by side; see README.md for what to install.

python benchmarks/splitters/run.py [--data FILE] [--limit N] [--model NAME] [--output FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1])]
    from splitters.command import main

    main()
