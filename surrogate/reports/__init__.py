"""What ``surrogate toy`` says about a problem and a method: the request, the facts, and how they are shown."""

from surrogate.reports.facts import report
from surrogate.reports.request import Options, Request, resolve
from surrogate.reports.show import as_json, as_text

__all__ = ["Options", "Request", "as_json", "as_text", "report", "resolve"]
