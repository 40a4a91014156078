// The losses with their resting points: parabolas in one dimension, level sets in two, both of which follow from
// a Hessian and a center. Client minimizers and the start can be dragged, or moved with the arrow keys.

const LEVELS = 7;

function showLandscape(p, shown, edit) {
  const root = p.svg.getRootNode(), held = root.activeElement && root.activeElement.dataset.mark;
  clear(p);
  const { scene } = shown;
  (scene.d === 1 ? showLine : showPlane)(p, shown, edit);
  const rest = scene.surrogate ? ["surrogate", "the surrogate loss"] : scene.residual && ["residual", "‖F‖: no loss here"];
  legend(p, [["loss", "f"], rest, ["run", "run"], ["star", "x*"], scene.rest && ["rest", "rest x̃"], ["path", scene.d > 1 ? "x̃ for γ < 1/L (dotted: beyond)" : "x̃ for γ < 1/L"],
    ["client", "client minimizers"], ["mean", "their mean"], ["start", "start"]]);
  const moves = edit && scene.d <= 2 ? " Drag client minimizers and the start, or focus one and use the arrow keys." : "";
  const slice = scene.d > 2 ? ` First two of ${scene.d} coordinates.` : "";
  p.words.textContent = `x* = ${vector(scene.loss.center)}; rests at ${vector(scene.rest)}; client minimizers average ${vector(scene.mean)}.${slice}${moves}`;
  const again = held && [...p.svg.querySelectorAll("[data-mark]")].find((node) => node.dataset.mark === held);
  if (again) again.focus({ preventScroll: true });
}

// The box of the picture; while a mark is dragged it stays, or the mark would run from the mouse.
function boxes(p, scene) {
  if (!p.dragging || p.box.length !== Math.min(scene.d, 2)) p.box = Array.from({ length: Math.min(scene.d, 2) }, (_, j) => box(scene, j));
  return p.box;
}

// What has to be in the picture, per coordinate; a resting point far away is not.
function box(scene, j) {
  const sure = [...scene.clients.map((c) => c.c), scene.loss.center, scene.mean, scene.start].filter(Boolean).map((v) => v[j]);
  let [a, b] = [Math.min(...sure), Math.max(...sure)];
  const rest = scene.rest && scene.rest[j];
  if (rest !== null && rest > a - 2 * (b - a) && rest < b + 2 * (b - a)) [a, b] = [Math.min(a, rest), Math.max(b, rest)];
  const margin = 0.15 * (b - a) || 1;
  return [a - margin, b + margin];
}

function showLine(p, shown, edit) {
  const { scene } = shown, [[a, b]] = boxes(p, scene);
  const parabola = (q) => (t) => 0.5 * q.hessian[0][0] * (t - q.center[0]) ** 2;
  const f = parabola(scene.loss), g = scene.surrogate && parabola(scene.surrogate);
  const top = Math.max(f(a), f(b)) || 1;
  const { width, height, left, right, top: ceiling, bottom } = FRAME;
  const x = scale(a, b, left, width - right), y = scale(-0.06 * top, top * 1.05, height - bottom, ceiling);
  const inside = axes(p.svg, x, y, "x", "above its minimum", `${p.id}-clip`);
  const at = Array.from({ length: 121 }, (_, k) => a + ((b - a) * k) / 120);
  scene.clients.slice(0, 64).forEach((c) => c.c && inside.append(draw("path", { class: "line client", d: through(at.map((t) => [x(t), y(0.5 * c.A[0][0] * (t - c.c[0]) ** 2)])) })));
  inside.append(draw("path", { class: "line loss", d: through(at.map((t) => [x(t), y(f(t))])) }));
  if (g) inside.append(draw("path", { class: "line surrogate", d: through(at.map((t) => [x(t), y(g(t))])) }));
  const rests = scene.path.points.filter((q, k) => scene.path.gammas[k] <= scene.marks.L);
  inside.append(draw("path", { class: "line path", d: through([scene.loss.center, ...rests].map((q) => q && [x(q[0]), y(0)])) }));
  const points = scene.run ? scene.run.points.map((q) => [x(q[0]), y(f(q[0]))]) : [];
  inside.append(draw("path", { class: "line run", d: through(points) }));
  points.slice(0, 100).forEach((q) => inside.append(draw("circle", { class: "run-dot", cx: q[0], cy: q[1], r: 2.5 })));
  const back = (px) => [x.back(px)];
  marks(p, inside, scene, (q) => [x(q[0]), y(0)], back, edit, [(b - a) / 50]);
}

function showPlane(p, shown, edit) {
  const { scene } = shown, { width, height, left, right, top, bottom } = FRAME;
  let [[a, b], [c, d]] = boxes(p, scene);
  const unit = Math.min((width - left - right) / (b - a), (height - top - bottom) / (d - c));
  const halfX = (width - left - right) / unit / 2, halfY = (height - top - bottom) / unit / 2;
  [a, b, c, d] = [(a + b) / 2 - halfX, (a + b) / 2 + halfX, (c + d) / 2 - halfY, (c + d) / 2 + halfY];
  const x = scale(a, b, left, width - right), y = scale(c, d, height - bottom, top);
  const inside = axes(p.svg, x, y, "first coordinate", "second coordinate", `${p.id}-clip`);
  const corners = [[a, c], [a, d], [b, c], [b, d]];
  ellipses(inside, "loss", scene.loss.hessian, scene.loss.center, corners, x, y, unit);
  if (scene.surrogate) ellipses(inside, "surrogate", scene.surrogate.hessian, scene.surrogate.center, corners, x, y, unit);
  if (scene.residual) {
    ellipses(inside, "residual", scene.residual.square, scene.residual.center, corners, x, y, unit);
    if (scene.d === 2) arrows(inside, scene.residual, [a, b, c, d], x, y);
  }
  const pixels = (q) => q && [x(q[0]), y(q[1])];
  const { points: rests, gammas } = scene.path, below = gammas.filter((g) => g <= scene.marks.L).length;
  inside.append(
    draw("path", { class: "line beyond", d: through(rests.slice(Math.max(0, below - 1)).map(pixels)) }),
    draw("path", { class: "line path", d: through([scene.loss.center, ...rests.slice(0, below)].map(pixels)) }),
  );
  if (scene.run) {
    const points = scene.run.points.map(pixels);
    inside.append(draw("path", { class: "line run", d: through(points) }));
    points.slice(0, 100).forEach((q) => inside.append(draw("circle", { class: "run-dot", cx: q[0], cy: q[1], r: 2.5 })));
    if (scene.run.covariance) spread(inside, scene.run, x, y, unit);
  }
  marks(p, inside, scene, pixels, (px, py) => [x.back(px), y.back(py)], edit, [(b - a) / 50, (d - c) / 50]);
}

// Eigenvalues l1 >= l2 of a symmetric 2 x 2 matrix, and the angle of the first eigenvector.
function eigen([[a, b], [, c]]) {
  const mean = (a + c) / 2, half = Math.hypot((a - c) / 2, b);
  return [mean + half, mean - half, 0.5 * Math.atan2(2 * b, a - c)];
}

// {x : 1/2 (x - center)^T H (x - center) = level}: half-axes sqrt(2 level / l) along the eigenvectors.
function ellipses(inside, kind, H, center, corners, x, y, unit) {
  const [l1, l2, angle] = eigen(H);
  if (!(l2 > 0)) return;
  const value = ([s, t]) => {
    const [u, v] = [s - center[0], t - center[1]];
    return 0.5 * (H[0][0] * u * u + 2 * H[0][1] * u * v + H[1][1] * v * v);
  };
  const most = Math.max(...corners.map(value));
  for (let k = 1; k <= LEVELS; k++) {
    const level = most * (k / LEVELS) ** 2;
    inside.append(ellipse(`level ${kind}`, center, Math.sqrt((2 * level) / l1), Math.sqrt((2 * level) / l2), angle, x, y, unit));
  }
}

function ellipse(kind, center, first, second, angle, x, y, unit) {
  const [cx, cy] = [x(center[0]), y(center[1])];
  return draw("ellipse", { class: kind, cx, cy, rx: first * unit, ry: second * unit, transform: `rotate(${(-angle * 180) / Math.PI} ${cx} ${cy})` });
}

// Two standard deviations of the last iterate.
function spread(inside, run, x, y, unit) {
  const S = run.covariance.slice(0, 2).map((row) => row.slice(0, 2)), [l1, l2, angle] = eigen(S);
  inside.append(ellipse("deviation", run.points[run.points.length - 1], 2 * Math.sqrt(Math.max(l1, 0)), 2 * Math.sqrt(Math.max(l2, 0)), angle, x, y, unit));
}

// Where the server is pushed: -F(x), lengths by rank alone.
function arrows(inside, { center, jacobian: J }, [a, b, c, d], x, y) {
  for (let i = 0; i < 9; i++) {
    for (let j = 0; j < 7; j++) {
      const p = [a + ((i + 0.5) / 9) * (b - a), c + ((j + 0.5) / 7) * (d - c)];
      const [u, v] = [p[0] - center[0], p[1] - center[1]];
      const F = [-(J[0][0] * u + J[0][1] * v), -(J[1][0] * u + J[1][1] * v)], size = Math.hypot(...F) || 1;
      const [px, py, dx, dy] = [x(p[0]), y(p[1]), (13 * F[0]) / size, (-13 * F[1]) / size];
      inside.append(draw("path", { class: "arrow", d: `M${px} ${py}l${dx} ${dy}m${-0.35 * dx - 0.25 * dy} ${-0.35 * dy + 0.25 * dx}l${0.35 * dx + 0.25 * dy} ${0.35 * dy - 0.25 * dx}l${-0.35 * dx + 0.25 * dy} ${-0.35 * dy - 0.25 * dx}` }));
    }
  }
}

function marks(p, inside, scene, pixels, back, edit, step) {
  const put = (kind, shape, point, size) => {
    if (!point || !pixels(point).every(Number.isFinite)) return null;
    const node = dress(mark(shape, ...pixels(point), size), { class: `${kind}-mark` }, []);
    inside.append(node);
    return node;
  };
  const drag = edit && scene.d <= 2;
  scene.clients.forEach((client, i) => {
    const node = put("client", "circle", client.c, scene.n > 20 ? 3 : 6);
    if (node && drag && edit.client && scene.n <= 20) movable(p, node, `minimizer of client ${i}`, client.c, back, step, (q) => edit.client(i, q));
  });
  put("mean", "cross", scene.mean, 5);
  put("star", "circle", scene.loss.center, 6);
  put("rest", "diamond", scene.rest, 6);
  const start = put("start", "square", scene.start, 5);
  if (start && drag) movable(p, start, "start", scene.start, back, step, edit.start);
}

// A mark that follows the mouse, and the arrow keys.
function movable(p, node, name, at, back, step, moved) {
  const told = (q) => q.map((v) => Number(v.toPrecision(4)));
  dress(node, { tabindex: 0, role: "button", "aria-label": `${name} at ${vector(at)}: arrow keys move it`, "data-mark": name }, []);
  node.classList.add("movable");
  node.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    p.dragging = true;
    const follow = (e) => {
      const q = new DOMPoint(e.clientX, e.clientY).matrixTransform(p.svg.getScreenCTM().inverse());
      moved(told(back(q.x, q.y)));
    };
    const stop = () => {
      window.removeEventListener("pointermove", follow);
      window.removeEventListener("pointerup", stop);
      p.dragging = false;
      moved(null);
    };
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", stop);
  });
  node.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    moved(told(at.map((v, j) => v + way[j] * step[j])));
  });
}
