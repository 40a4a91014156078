"""A page as someone without a mouse goes through it: from stop to stop with Tab."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

__all__ = ["Stop", "go", "here", "lost", "stops"]

_HERE = r"""
() => {
  let e = document.activeElement;
  while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
  if (!e || e === document.body || e === document.documentElement) return null;
  const style = getComputedStyle(e), outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
  const redrawn = () => {  // a mark in a picture may show it by a broader line: compare a copy, without the focus
    const still = e.parentNode.insertBefore(e.cloneNode(), e), plain = getComputedStyle(still);
    const differs = plain.stroke !== style.stroke && parseFloat(style.strokeWidth) > parseFloat(plain.strokeWidth);
    still.remove();
    return differs;
  };
  const clamp = (low, high, most) => Math.min(Math.max((low + high) / 2, 0), most - 1);
  const box = e.getClientRects()[0];
  const on = box && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  const hit = on && e.getRootNode().elementFromPoint(clamp(box.left, box.right, innerWidth),
                                              clamp(box.top, box.bottom, innerHeight));
  const parts = [["skip", "[href^='#'].skip-to-content"], ["search", "[role=search], [type=search]"],
                 ["content", "main, [role=main]"], ["navigation", "nav, aside, header"]];
  const part = (parts.find(([, where]) => e.closest(where)) || ["elsewhere"])[0];
  const name = (e.getAttribute("aria-label") || e.textContent || e.placeholder || e.tagName).trim().slice(0, 60);
  return {name, part, link: e.getAttribute("href") || "", seen: !!hit && (e.contains(hit) || hit.contains(e)),
          marked: outlined || (e instanceof SVGElement && redrawn())};
}
"""


@dataclass(frozen=True)
class Stop:
    """What has the focus. ``seen``: on the screen, with nothing above it; ``marked``: one sees that it has it."""

    name: str
    part: str
    link: str
    seen: bool
    marked: bool


def here(page: Page) -> Stop | None:
    """Where the focus is; None before the first stop and behind the last."""
    found = page.evaluate(_HERE)
    return None if found is None else Stop(**found)


def stops(page: Page, most: int = 80, key: str = "Tab") -> list[Stop]:
    """The stops from where the focus is, to the page's last (Shift+Tab: its first) or ``most``."""
    found: list[Stop] = []
    for _ in range(most):
        page.keyboard.press(key)
        stop = here(page)
        if stop is None:
            break
        found.append(stop)
    return found


def go(page: Page, part: str, most: int = 40) -> Stop:
    """Press Tab until the focus is in the part; how a person gets there."""
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = here(page)
        if stop is not None and stop.part == part:
            return stop
    raise AssertionError(f"{most} stops and none in the {part}")


def lost(found: list[Stop]) -> list[Stop]:
    """Stops at which one does not see where one is."""
    return [stop for stop in found if not (stop.seen and stop.marked)]
