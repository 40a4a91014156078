// The page: builds it once, asks Python for a scene whenever a control moved, and shows what comes back.

// What Python is asked for: presets by name, own clients by their numbers, and nothing that would be ignored.
function stateOf(form) {
  const { problem } = form, local = form.method === "local-update";
  const clients = problem.preset ? { preset: problem.preset } : { kind: problem.kind, A: problem.A, v: problem.v };
  if (!problem.preset && problem.weights) clients.weights = problem.weights;
  if (!problem.preset && problem.owner) clients.owner = problem.owner;
  if (problem.spread) clients.spread = problem.spread;
  const state = { problem: clients, method: form.method, gamma: form.gamma, steps: form.steps, eta: form.eta, settings: form.settings, rounds: form.rounds };
  if (local) Object.assign(state, { theta: form.theta, per_round: form.per_round, sampling: form.sampling, batch: form.batch });
  if (form.method === "preconditioned") Object.assign(state, { P: form.P, correction: form.correction });
  if (form.startGiven) state.start = form.start;
  return state;
}

function render({ model, el }) {
  const opening = model.get("opening");
  const view = page();
  let shown = opening.shown, asked = shown.form, seq = 0, waiting = 0, next = null;

  // One question at a time; of those that pile up meanwhile, the last.
  function ask(message, buffers = []) {
    if (waiting) { next = [message, buffers]; return; }
    waiting = ++seq;
    view.root.setAttribute("aria-busy", "true");
    model.send({ ...message, seq }, undefined, buffers);
  }

  function change(edit, sliding = false) {
    asked = structuredClone(asked);
    const before = JSON.stringify([asked.problem.A, asked.problem.v, asked.problem.weights]);
    edit(asked);
    const after = JSON.stringify([asked.problem.A, asked.problem.v, asked.problem.weights]);
    if (asked.problem.A && before !== after) asked.problem.preset = null;
    view.root.dataset.sliding = sliding;
    ask({ kind: "show", state: stateOf(asked) });
  }

  async function openFile(file) {
    const content = await file.arrayBuffer();
    ask({ kind: "open", name: file.name }, [content]);
  }

  const edit = {
    client: (i, q) => (q === null ? redraw(false) : change((f) => { f.problem.v[i] = q; })),
    start: (q) => (q === null ? redraw(false) : change((f) => { f.start = q; f.startGiven = true; })),
  };

  function redraw(withControls) {
    const movable = canEdit(shown.form, shown.scene.d) && shown.form.problem.kind === "c" ? edit : { start: edit.start };
    showLandscape(view.landscape, shown, movable);
    showTruth(view.truth, shown);
    showTrade(view.trade, shown);
    showRun(view.run, shown);
    showNumbers(view, shown);
    if (withControls) refill(view, () => {
      controls(view.controls, opening, shown, change, openFile);
      clientTable(view.clients, shown, change);
    });
    else follow(view, shown);
  }

  function take(reply, buffers) {
    view.root.removeAttribute("aria-busy");
    view.trouble.textContent = reply.kind === "problem" ? reply.text : "";
    if (reply.kind === "problem") asked = shown.form;
    if (reply.kind === "file") hand(view, reply, buffers[0]);
    if (reply.kind === "scene") {
      shown = reply;
      if (!next) asked = shown.form;
      view.root.dataset.seq = reply.seq;
      redraw(view.root.dataset.sliding !== "true" && !view.landscape.dragging);
      const link = `${location.origin}${location.pathname}?${reply.query}`;
      view.link.value = link;
      history.replaceState(history.state, "", link);
    } else if (reply.kind === "problem") redraw(true);
  }

  const hear = (reply, buffers) => {
    if (reply.seq !== waiting) return;
    waiting = 0;
    take(reply, buffers);
    if (next) {
      const [message, sent] = next;
      next = null;
      ask(message, sent);
    }
  };
  model.on("msg:custom", hear);
  for (const button of view.exports) button.addEventListener("click", () => ask({ kind: "export", what: button.dataset.what, state: stateOf(asked) }));
  view.controls.addEventListener("change", () => {
    if (view.root.dataset.sliding !== "true") return;
    view.root.dataset.sliding = false; // the slider was let go: what it left alone is brought up to date
    if (!waiting) redraw(true);
  });
  view.copy.addEventListener("click", () => navigator.clipboard.writeText(view.link.value).then(() => { view.copy.textContent = "Copied"; }));

  el.replaceChildren(view.root);
  view.link.value = `${location.origin}${location.pathname}?${shown.query}`;
  view.trouble.textContent = opening.trouble;
  redraw(true);
  view.root.dataset.seq = 0;
  return () => model.off("msg:custom", hear);
}

function page() {
  const found = {
    controls: make("form", { class: "controls", "aria-label": "what to look at", onsubmit: (e) => e.preventDefault() }),
    clients: make("div"),
    landscape: panel("landscape", "Losses and resting point"),
    truth: panel("truth", "Truth against the theorems"),
    trade: panel("trade", "Displacement against contraction"),
    run: panel("run", "Distance over the rounds"),
    notes: make("ul", { class: "notes" }),
    trouble: make("p", { class: "trouble", role: "alert" }),
    table: make("tbody"),
    bounds: make("div", { class: "scroll" }),
    link: make("input", { type: "text", readonly: true, "aria-label": "link that restores this state" }),
    copy: make("button", { type: "button" }, "Copy the link"),
    preview: make("pre", { tabindex: 0, hidden: true, "aria-label": "the exported text" }),
  };
  const kinds = { toml: "TOML for surrogate toy", python: "Python", png: "PNG", pdf: "PDF" };
  found.exports = Object.entries(kinds).map(([what, text]) => make("button", { type: "button", "data-what": what }, text));
  const numbers = make("section", { class: "numbers" }, make("h3", {}, "Numbers"),
    make("table", {}, make("thead", { class: "unseen" }, make("tr", {}, make("th", { scope: "col" }, "what"), make("th", { scope: "col" }, "value"))), found.table));
  const exported = make("section", {}, make("h3", {}, "Take it along"), make("p", { class: "buttons" }, ...found.exports),
    make("p", { class: "buttons" }, found.link, found.copy), found.preview);
  const pictures = make("div", { class: "pictures" }, ...["landscape", "truth", "trade", "run"].map((key) => found[key].figure));
  const below = make("div", { class: "below" }, numbers, make("div", {}, make("section", {}, make("h3", {}, "What the theorems say"), found.bounds),
    make("section", {}, make("h3", {}, "Clients"), found.clients), exported));
  found.root = make("div", { class: "explorer", lang: "en" }, make("h2", {}, "Where local update methods rest"),
    make("p", { class: "lead" }, "Clients with quadratic losses f_i; a method with local steps; where it comes to rest, how far from the minimizer x* of their mean f, and how fast."),
    found.trouble, make("div", { class: "columns" }, found.controls, make("main", {}, pictures, found.notes, below)));
  return found;
}

function showNumbers(view, { scene }) {
  view.table.replaceChildren(...scene.table.map(([label, text]) => make("tr", {}, make("th", { scope: "row" }, label), make("td", {}, text))));
  view.notes.replaceChildren(...scene.notes.map((note) => make("li", {}, note)));
  const cells = (row) => [make("th", { scope: "row" }, row.name), ...(row.bound === null
    ? [make("td", { colspan: 2 }, `says nothing: ${row.says_nothing_because}`)]
    : [make("td", {}, short(row.bound, 6)), make("td", {}, short(row.truth_over_bound))]), make("td", {}, row.verdict)];
  const head = ["theorem", "bound on the distance", "truth / bound", "is it true?"].map((name) => make("th", { scope: "col" }, name));
  view.bounds.replaceChildren(scene.bounds.length
    ? make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...scene.bounds.map((row) => make("tr", {}, ...cells(row)))))
    : make("p", {}, "The papers bound the displacement of local-update; of this method none is recorded."));
}

// Fill the controls anew, and give the focus back to the one that had it; if that can do no more, to the one beside it.
function refill(view, fill) {
  const name = (node) => node && node.getAttribute && (node.getAttribute("aria-label") || (node.tagName === "BUTTON" && node.textContent));
  const held = name(view.root.getRootNode().activeElement);
  fill();
  const again = held && [...view.root.querySelectorAll("[aria-label], button")].find((node) => name(node) === held && !node.closest("svg"));
  const able = again && again.disabled ? again.parentNode.querySelector("button:enabled") : again;
  if (able) able.focus({ preventScroll: true });
}

// While a slider moves it is left alone; the numbers beside it follow.
function follow(view, { form }) {
  const put = (label, value) => {
    const input = [...view.controls.querySelectorAll("input[type=number]")].find((node) => node.getAttribute("aria-label") === label);
    if (input) input.value = value;
  };
  put("client rate gamma", form.gamma);
  put("number of local steps K", form.steps);
  form.start.forEach((v, j) => put(`start, coordinate ${j + 1}`, v));
}

function hand(view, reply, buffer) {
  const bytes = new Uint8Array(buffer.buffer || buffer, buffer.byteOffset || 0, buffer.byteLength);
  const url = URL.createObjectURL(new Blob([bytes], { type: reply.mime }));
  const anchor = make("a", { href: url, download: reply.name });
  view.root.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  view.preview.hidden = reply.mime !== "text/plain";
  if (!view.preview.hidden) view.preview.textContent = new TextDecoder().decode(bytes);
}

export default { render };
