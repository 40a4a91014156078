"""``python -m surrogate`` is the program ``surrogate``."""

from surrogate.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
