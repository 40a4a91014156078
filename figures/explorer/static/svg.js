// Small tools: elements, numbers as people read them, scales and axes. No library; the files of this folder are joined.

const SVG = "http://www.w3.org/2000/svg";

function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  return dress(node, attributes, children);
}

function draw(name, attributes = {}, ...children) {
  return dress(document.createElementNS(SVG, name), attributes, children);
}

function dress(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// 0.04426, 1.2e-7, 1234
function short(x, digits = 4) {
  if (x === null || x === undefined) return "none";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-4 ? x.toExponential(digits - 1) : x.toPrecision(digits);
  return text.includes("e")
    ? text.replace(/\.?0+e/, "e").replace("e+", "e")
    : text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function vector(point) {
  return point === null || point === undefined ? "none" : `(${point.map((x) => short(x)).join(", ")})`;
}

// A scale maps [from, to] to [low, high]; log scales leave out what is not positive.
function scale(from, to, low, high, log = false) {
  const t = log ? Math.log10 : (x) => x;
  const a = t(from), b = t(to);
  const at = (x) => low + ((t(x) - a) / (b - a || 1)) * (high - low);
  at.back = (p) => a + ((p - low) / (high - low)) * (b - a);
  at.log = log;
  at.from = from;
  at.to = to;
  return at;
}

// Round numbers between from and to, about count of them.
function ticks(at, count = 5) {
  if (!at.log) {
    const rough = (at.to - at.from) / count, size = 10 ** Math.floor(Math.log10(rough));
    const step = size * ([1, 2, 5, 10].find((m) => m * size >= rough) || 10);
    const first = Math.ceil(at.from / step), last = Math.floor(at.to / step + 1e-9);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
  }
  const a = Math.ceil(Math.log10(at.from) - 1e-9), b = Math.floor(Math.log10(at.to) + 1e-9);
  const stride = Math.max(1, Math.ceil((b - a + 1) / (count + 1)));
  const powers = [];
  for (let k = a; k <= b; k += stride) powers.push(10 ** k);
  if (powers.length > 1) return powers;
  const found = [];
  for (let k = a - 1; k <= b; k++) for (const m of [1, 2, 5]) found.push(m * 10 ** k);
  return found.filter((x) => x >= at.from && x <= at.to).map((x) => Number(x.toPrecision(6)));
}

const FRAME = { width: 430, height: 310, left: 72, right: 16, top: 12, bottom: 50 };

// Axes with ticks and labels; returns the group to draw into, clipped to the frame.
function axes(svg, x, y, xLabel, yLabel, id) {
  const { width, height, left, right, top, bottom } = FRAME;
  svg.append(
    draw("clipPath", { id }, draw("rect", { x: left, y: top, width: width - left - right, height: height - top - bottom })),
    draw("path", { class: "axis", d: `M${left} ${top}V${height - bottom}H${width - right}` }),
  );
  for (const value of ticks(x)) {
    const at = x(value);
    svg.append(
      draw("path", { class: "axis", d: `M${at} ${height - bottom}v5` }),
      draw("text", { class: "tick", x: at, y: height - bottom + 18, "text-anchor": "middle" }, short(value)),
    );
  }
  for (const value of ticks(y)) {
    const at = y(value);
    svg.append(
      draw("path", { class: "axis", d: `M${left} ${at}h-5` }),
      draw("text", { class: "tick", x: left - 8, y: at + 4, "text-anchor": "end" }, short(value)),
    );
  }
  const middle = (top + height - bottom) / 2;
  svg.append(
    draw("text", { class: "label", x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, xLabel),
    draw("text", { class: "label", transform: `rotate(-90 12 ${middle})`, x: 12, y: middle, "text-anchor": "middle" }, yLabel),
  );
  const inside = draw("g", { "clip-path": `url(#${id})` });
  svg.append(inside);
  return inside;
}

function frameScales(xs, ys, xLog, yLog) {
  const { width, height, left, right, top, bottom } = FRAME;
  const [x0, x1] = range(xs, xLog), [y0, y1] = range(ys, yLog);
  return [scale(x0, x1, left, width - right, xLog), scale(y0, y1, height - bottom, top, yLog)];
}

// From the least to the largest, with a margin; a single value gets room on both sides.
function range(values, log) {
  const kept = values.filter((v) => v !== null && Number.isFinite(v) && (!log || v > 0));
  if (!kept.length) return log ? [0.1, 1] : [0, 1];
  let a = Math.min(...kept), b = Math.max(...kept);
  if (log) return a < b * 0.999 ? [a / 1.15, b * 1.15] : [a / 3, b * 3];
  const margin = (b - a) * 0.06 || Math.abs(a) * 0.5 || 1;
  return [a - margin, b + margin];
}

// A path through points (pixels), broken where one is missing.
function through(points) {
  let d = "", pen = false;
  for (const p of points) {
    const good = p && p.every(Number.isFinite);
    if (good) d += `${pen ? "L" : "M"}${p[0].toFixed(2)} ${p[1].toFixed(2)}`;
    pen = good;
  }
  return d;
}

// Marks that differ in shape, not in colour alone.
function mark(kind, x, y, size = 6) {
  const shapes = {
    circle: () => draw("circle", { cx: x, cy: y, r: size }),
    diamond: () => draw("path", { d: `M${x} ${y - size * 1.3}l${size * 1.3} ${size * 1.3}l${-size * 1.3} ${size * 1.3}l${-size * 1.3} ${-size * 1.3}z` }),
    square: () => draw("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size }),
    cross: () => draw("path", { d: `M${x - size} ${y - size}l${2 * size} ${2 * size}M${x - size} ${y + size}l${2 * size} ${-2 * size}` }),
  };
  return shapes[kind]();
}
