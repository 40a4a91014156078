"""A page a paper: its map, place by place in the paper's order, with the statements that judge each or the reason."""

from __future__ import annotations

from collections.abc import Mapping

from theorems.coverage import Map, Place
from theorems.record import Record
from theorems.report.page import badge, escape, shell, table

__all__ = ["coverage_page"]


def coverage_page(title: str, found: Map, records: Mapping[str, Record]) -> str:
    """coverage/<paper>.html."""
    rows = [[escape(place.at), escape(place.says), _answer(place, records)] for place in found.places]
    with_ids = sum(bool(place.ids) for place in found.places)
    words = (
        f"<p>{len(rows)} places: {with_ids} lead to statements, {len(rows) - with_ids} to a reason why there is "
        "nothing to check. What a place says is in our words. A claim of the paper that is missing here, or a reason "
        "that is none, is an error of this map.</p>"
    )
    heading = f"{title}: what is judged where"
    places = table(["place", "what is said there", "judged by"], rows)
    return shell(heading, f"<h1>{escape(heading)}</h1>{words}{places}", up="../")


def _answer(place: Place, records: Mapping[str, Record]) -> str:
    if place.reason:
        return f"<em>nothing to check: {escape(place.reason)}</em>"
    return "<br>".join(
        f'<a href="../statements/{name}.html">{escape(name)}</a> {badge(records[name]["verdict"])}, '
        f"{escape(records[name]['severity'] or records[name]['evidence'])}"
        for name in place.ids
    )
