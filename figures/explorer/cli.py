"""``surrogate explore``: toy problems in the browser, with sliders."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import socket
import threading
import webbrowser
from pathlib import Path

from surrogate.kit.errors import problem

__all__ = ["EXAMPLES", "OPENS", "SUMMARY", "configure", "run"]

SUMMARY = "Explore a toy problem in the browser: sliders, pictures, exact numbers, and what theorems say."
EXAMPLES = """
surrogate explore
surrogate explore plane
surrogate explore mine.toml --port 8000 --no-browser
"""
OPENS = "SURROGATE_EXPLORE_OPENS"  # names to the app what the command line asked for
HOST = "127.0.0.1"  # nobody else's business
# marimo's page is white unless its user says otherwise; ours follows the system, and its margins leave room to look.
# Its menu hovers over ours without a name for those who hear the page; what it saves is among our exports.
_HEAD = """<style>
@media (prefers-color-scheme: dark) {
  body, #root, #App, .bg-background, .marimo-cell, .output-area { background: #16181a !important; }
  .marimo-cell { border-color: transparent !important; box-shadow: none !important; }
}
.config-width-full > * { padding-inline: 8px !important; }
[data-testid="notebook-actions-dropdown"] { display: none; }
</style>"""
_NEEDS = ("marimo", "anywidget", "uvicorn")


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument(
        "problem", nargs="?", metavar="FILE|PRESET", help="as for `surrogate toy` (default: two-clients)"
    )
    parser.add_argument("--port", type=int, default=0, help="of this machine (default: a free one)")
    parser.add_argument("--no-browser", action="store_true", help="print the address and open nothing")


def run(args: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C; 0."""
    missing = [name for name in _NEEDS if importlib.util.find_spec(name) is None]
    if missing:
        raise problem(
            "`surrogate explore`",
            f"without {', '.join(missing)}",
            "the packages of the extra `explore`",
            "an installation of the core alone",
            "pip install 'quadratic-surrogates[explore]'",
        )
    from figures.explorer import files

    if args.problem:
        files.load(args.problem)  # an unreadable file is refused here, not in the page
        known = args.problem if not Path(args.problem).exists() else str(Path(args.problem).resolve())
        os.environ[OPENS] = known
    with _listening(args.port) as port:
        _serve(port, browser=not args.no_browser)
    return 0


def _listening(port: int) -> socket.socket:
    """A socket that listens already, so that the address we print is ours."""
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise problem(
            "--port",
            port,
            "a free port of this machine",
            str(error),
            "leave it out for a free one, or take another from 1024 to 65535",
        ) from None
    listener.listen()
    return listener


def _serve(listener: socket.socket, browser: bool) -> None:
    import marimo
    import uvicorn

    from figures.explorer.guard import Guard

    pages = marimo.create_asgi_app(quiet=True, html_head=_HEAD)
    port = listener.getsockname()[1]
    app = Guard(pages.with_app(path="/", root=str(Path(__file__).with_name("app.py"))).build(), port)
    address = f"http://{HOST}:{port}/?token={app.token}"
    print(f"The explorer is at {address} (Ctrl-C ends it)", flush=True)
    if browser:
        threading.Timer(0.3, webbrowser.open, [address]).start()
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises it again after its orderly end
        server.run(sockets=[listener])
    print("The explorer has ended.", flush=True)
    os._exit(0)  # a thread of an open page's session would hold the process for minutes; nothing is left to be saved
