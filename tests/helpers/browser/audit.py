"""What a person needs of a page, asked of the page: width, contrast, headings, names, mathematics with a size."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

__all__ = ["PHONE", "complaints"]

PHONE = {"width": 390, "height": 844}

_AUDIT = r"""
() => {
  const found = [];
  const visible = e => e.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) && e.getClientRects().length;
  const place = e => `<${e.tagName.toLowerCase()} class="${e.className}"> ${(e.textContent || "").trim().slice(0, 40)}`;

  if (!document.documentElement.lang) found.push("no lang");
  if (!document.title.trim()) found.push("no title");
  if (document.documentElement.scrollWidth > innerWidth + 1)
    found.push(`wider than the screen: ${document.documentElement.scrollWidth} > ${innerWidth}`);

  const main = document.querySelector("main, [role=main], article") || document.body;
  const levels = [...main.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(visible).map(h => +h.tagName[1]);
  if (levels.filter(l => l === 1).length !== 1) found.push(`${levels.filter(l => l === 1).length} headings h1`);
  levels.forEach((l, k) => { if (k && l > levels[k - 1] + 1) found.push(`heading h${levels[k - 1]} before h${l}`); });

  for (const i of document.querySelectorAll("img")) if (!i.alt.trim()) found.push(`no alt text: ${i.src.slice(-40)}`);
  for (const i of document.querySelectorAll("img"))
    if (i.complete && i.naturalWidth === 0) found.push(`not shown: ${i.src.slice(-40)}`);
  for (const e of document.querySelectorAll("a[href], button, input, select, textarea, [role=button]")) {
    if (!visible(e) || e.type === "hidden") continue;
    const label = e.labels && [...e.labels].map(l => l.textContent).join("");
    const said = c => c.alt || c.getAttribute("aria-label") || c.textContent;
    const inside = [...e.querySelectorAll("img, svg, title")].map(said);
    const name = [said(e), e.title, e.placeholder, label, ...inside].join("").trim();
    if (!name) found.push(`no name: ${e.outerHTML.slice(0, 90)}`);
  }
  for (const th of document.querySelectorAll("th")) if (!th.textContent.trim()) found.push("an empty table heading");
  for (const cell of document.querySelectorAll("td, th"))
    if (visible(cell) && cell.innerText.trim().length > 12 && cell.getBoundingClientRect().width < 48)
      found.push(`a cell too narrow to be read: ${place(cell)}`);
  for (const m of document.querySelectorAll("math")) {
    const box = m.getBoundingClientRect();
    if (visible(m) && (box.width < 3 || box.height < 3)) found.push(`mathematics without a size: ${m.textContent}`);
  }

  const rgba = text => {
    const canvas = rgba.canvas ||= new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => top.slice(0, 3).map((v, k) => v * top[3] + below[k] * (1 - top[3])).concat(1);
  const ground = e => {
    const layers = [];
    for (let n = e; n; n = n.parentElement) layers.push(rgba(getComputedStyle(n).backgroundColor));
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return layers.reverse().reduce((below, layer) => over(layer, below), dark ? [18, 18, 18, 1] : [255, 255, 255, 1]);
  };
  const light = c => {
    const [r, g, b] = c.slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const seen = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || seen.has(e) || !visible(e) || e.closest("svg, script, style, noscript"))
      continue;
    seen.add(e);
    const style = getComputedStyle(e), below = ground(e);
    const [a, b] = [light(over(rgba(style.color), below)), light(below)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
    const ratio = (a + .05) / (b + .05);
    if (ratio < (large ? 3 : 4.5)) found.push(`contrast ${ratio.toFixed(2)}: ${place(e)}`);
  }
  return [...new Set(found)];
}
"""


def complaints(page: Page, url: str) -> list[str]:
    """What is wrong with the page: at 1280 and at 390 pixels, in light and in dark."""
    found = []
    page.goto(url)
    for scheme in ("light", "dark"):
        for size in ({"width": 1280, "height": 900}, PHONE):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.set_viewport_size(size)  # type: ignore[arg-type]
            answers: list[Any] = page.evaluate(_AUDIT)
            found += [f"{scheme}, {size['width']}: {each}" for each in answers]
    return found
