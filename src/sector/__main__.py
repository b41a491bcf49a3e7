"""``python -m sector``: the command line, where the command itself is not on the path."""

from sector.cli import main

if __name__ == "__main__":
    main()
