// The three curves: truth against bounds, displacement against contraction, and the distance over the rounds.

// A figure: title, what each line is, the picture, and the same in words.
function panel(id, title) {
  const svg = draw("svg", { viewBox: `0 0 ${FRAME.width} ${FRAME.height}`, role: "img", "aria-labelledby": `${id}-t ${id}-w` });
  const legend = make("ul", { class: "legend", "aria-hidden": "true" });
  const words = make("p", { class: "words", id: `${id}-w` });
  const figure = make("figure", { id }, make("h3", { id: `${id}-t` }, title), legend, svg, words);
  return { id, figure, svg, legend, words };
}

function clear(p) {
  p.svg.replaceChildren();
  p.legend.replaceChildren();
}

function legend(p, entries) {
  p.legend.replaceChildren(...entries.filter(Boolean).map(([kind, text]) => {
    const key = draw("svg", { viewBox: "0 0 22 12", class: `key ${kind}` });
    const shape = { star: "circle", rest: "diamond", start: "square", mean: "cross", client: "circle" }[kind];
    key.append(shape ? mark(shape, 11, 6, 4) : draw("path", { d: "M1 6H21" }));
    if (shape) key.firstChild.setAttribute("class", `${kind}-mark`);
    return make("li", {}, key, text);
  }));
}

function cursor(inside, x, gamma) {
  inside.append(draw("path", { class: "cursor", d: `M${x(gamma)} ${FRAME.top}V${FRAME.height - FRAME.bottom}` }));
}

// How far from x* the method rests, over gamma, under the bounds of the theorems.
function showTruth(p, shown) {
  clear(p);
  const { scene, form } = shown, { gammas, distance } = scene.path;
  const curves = scene.bounds.map((row, k) => [`bound${k}`, row.curve, row.name]).filter((c) => c[1]);
  const heights = [...distance, ...curves.flatMap((c) => c[1])].filter((v) => v > 0);
  const [x, y] = frameScales(gammas, heights, true, true);
  const inside = axes(p.svg, x, y, "client rate γ", "distance of rest to x*", `${p.id}-clip`);
  cursor(inside, x, form.gamma);
  for (const [kind, values] of curves) inside.append(draw("path", { class: `line ${kind}`, d: through(gammas.map((g, k) => values[k] > 0 && [x(g), y(values[k])])) }));
  inside.append(draw("path", { class: "line truth", d: through(gammas.map((g, k) => distance[k] > 0 && [x(g), y(distance[k])])) }));
  if (scene.distance > 0) inside.append(dress(mark("diamond", x(form.gamma), y(scene.distance)), { class: "rest-mark" }, []));
  legend(p, [["truth", "truth"], ...curves.map(([kind, , name]) => [kind, name])]);
  const here = scene.bounds.map((row) => row.bound === null
    ? `${row.name} says nothing here: ${row.says_nothing_because}.`
    : `${row.name} allows ${short(row.bound)}.`);
  const everywhere = distance.every((v) => v === 0) ? " It rests at x* at every γ of the slider." : "";
  p.words.textContent = `At γ = ${short(form.gamma)} it rests ${short(scene.distance)} from x*.${everywhere} ${here.join(" ")}`;
}

// Each gamma gives a point: how fast it contracts, how far it rests.
function showTrade(p, shown) {
  clear(p);
  const { scene, form } = shown, { gammas, distance, radius } = scene.path;
  const pairs = gammas.map((g, k) => radius[k] !== null && distance[k] > 0 && radius[k] < 1.5 ? [radius[k], distance[k]] : null);
  const now = tableValue(scene, "contraction (radius)");
  const radii = [...pairs.map((q) => q && q[0]), now].filter((v) => v !== null && v < 1.5);
  const room = radii.flatMap((r) => [Math.max(0, r - 0.02), r + 0.02]); // or rounding about 0 would fill the picture
  const [x, y] = frameScales(room, [...pairs.map((q) => q && q[1]), scene.distance], false, true);
  const inside = axes(p.svg, x, y, "contraction of one round (radius)", "distance of rest to x*", `${p.id}-clip`);
  if (x.from < 1 && x.to > 1) inside.append(draw("path", { class: "cursor", d: `M${x(1)} ${FRAME.top}V${FRAME.height - FRAME.bottom}` }));
  inside.append(draw("path", { class: "line path", d: through(pairs.map((q) => q && [x(q[0]), y(q[1])])) }));
  pairs.forEach((q) => q && inside.append(draw("circle", { class: "path-dot", cx: x(q[0]), cy: y(q[1]), r: 2 })));
  if (now !== null && scene.distance > 0) inside.append(dress(mark("diamond", x(now), y(scene.distance)), { class: "rest-mark" }, []));
  legend(p, [["path", "all γ of the slider"], ["rest", "here"]]);
  p.words.textContent = now === null
    ? "How fast this method settles is not known here, or dear to find out."
    : `At γ = ${short(form.gamma)} and server rate ${short(scene.eta)} a round multiplies the distance to rest by ${short(now)}` +
      (now >= 1 ? ": it does not settle." : ".");
}

function tableValue(scene, label) {
  const row = scene.table.find((entry) => entry[0] === label);
  return row && typeof row[2] === "number" ? row[2] : null;
}

// E ||x_t - x*||^2; the band is what noise adds to ||E x_t - x*||^2.
function showRun(p, shown) {
  clear(p);
  const { scene } = shown, run = scene.run;
  const floor = scene.distance === null ? null : scene.distance ** 2;
  const total = run ? run.distance2 : [], bias = run ? run.bias2 : [];
  const least = (total[0] || 1) * 1e-16; // below is rounding
  const cut = (v) => (v === null || v < least ? null : v);
  const [x, y] = frameScales([0, Math.max(1, total.length - 1)], [...total.map(cut), ...bias.map(cut), cut(floor)], false, true);
  const inside = axes(p.svg, x, y, "round t", "E ‖x_t − x*‖²", `${p.id}-clip`);
  const line = (values) => values.map((v, t) => cut(v) !== null && [x(t), y(v)]);
  const noisy = Boolean(run && run.covariance);
  if (noisy) inside.append(draw("path", { class: "band", d: `${through(line(total))}${through(line(bias).reverse()).replace("M", "L")}Z` }));
  if (cut(floor)) inside.append(draw("path", { class: "line floor", d: `M${FRAME.left} ${y(floor)}H${FRAME.width - FRAME.right}` }));
  if (noisy) inside.append(draw("path", { class: "line bias", d: through(line(bias)) }));
  inside.append(draw("path", { class: "line total", d: through(line(total)) }));
  legend(p, [["total", "E ‖x_t − x*‖²"], noisy && ["bias", "‖E x_t − x*‖²; the band is noise"], cut(floor) && ["floor", "at rest"]]);
  const T = total.length - 1;
  p.words.textContent = run
    ? `After ${T} rounds E ‖x_T − x*‖² = ${short(total[T])}` +
      (noisy ? `, of which ${short(total[T] - bias[T])} is noise.` : ".") + (floor === null ? "" : ` At rest it is ${short(floor)} without noise.`)
    : "No run to show.";
}
