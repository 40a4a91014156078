// The controls: each writes into a copy of the form and asks for the scene that goes with it.

const GAMMA_STEPS = 600, MOST_ON_SLIDER = 1000;

function field(label, input, hint = null) {
  return make("label", { class: "field" }, make("span", { class: "name" }, label), input, hint && make("span", { class: "hint" }, hint));
}

function select(label, options, chosen, change) {
  const input = make("select", { "aria-label": label }, ...options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
  input.addEventListener("change", () => change(input.value));
  return input;
}

// K on the slider: 0..100 to 1..1000, finer where small.
const stepsAt = (t) => Math.round(10 ** (t / (100 / Math.log10(MOST_ON_SLIDER))));
const tAt = (K) => (100 / Math.log10(MOST_ON_SLIDER)) * Math.log10(Math.min(K, MOST_ON_SLIDER));

function controls(holder, opening, shown, change, openFile) {
  const { form, scene } = shown, method = opening.methods.find((m) => m.name === form.method), local = form.method === "local-update";
  holder.replaceChildren(
    group("Problem", problemFields(opening, form, change, openFile)),
    group("Method", [...methodFields(opening, form, method, change), make("p", { class: "hint" }, `${method.paper}. ${method.formula}. Rests at x*: ${method.restsAtMinimizer}.`)]),
    group("Clients", method.takes.includes("gamma") ? [...gammaFields(form, scene, change), ...stepsFields(form, change)]
      : [make("p", { class: "hint" }, "This method takes no local steps.")]),
    group("Server and noise", [...serverFields(form, scene, method, change), ...noiseFields(form, scene, local, change)]),
  );
}

function group(name, fields) {
  return make("fieldset", {}, make("legend", {}, name), ...fields);
}

function problemFields(opening, form, change, openFile) {
  const own = form.problem.preset ? [] : [["", "my own clients"]];
  const options = [...own, ...Object.keys(opening.presets).map((name) => [name, name])];
  const file = make("input", { type: "file", accept: ".toml,.json,.npz", "aria-label": "load a problem file (TOML, JSON or NPZ)" });
  file.addEventListener("change", () => file.files[0] && openFile(file.files[0]));
  return [
    field("preset", select("preset", options, form.problem.preset || "", (name) => change((f) => {
      f.problem = { preset: name };
      Object.assign(f, { P: null, startGiven: false, per_round: null, batch: null });
    })), opening.presets[form.problem.preset]),
    field("file of my own", file),
  ];
}

function methodFields(opening, form, method, change) {
  const choose = (name) => change((f) => {
    const plain = { method: name, settings: {}, theta: "sum", correction: "none" };
    Object.assign(f, plain, name === "local-update" ? {} : { per_round: null, batch: null });
  });
  const found = [field("method", select("method", opening.methods.map((m) => [m.name, m.name]), form.method, choose))];
  if (form.method === "preconditioned") {
    found.push(field("correction", select("correction", opening.corrections.map((c) => [c, c]), form.correction, (c) => change((f) => { f.correction = c; })), "preconditioners: in the table of clients"));
  }
  for (const name of Object.keys(method.scalars)) {
    found.push(field(name, number(`${name}: ${method.meanings[name]}`, form.settings[name], (v) => change((f) => { f.settings[name] = v; })), method.meanings[name]));
  }
  return found;
}

function gammaFields(form, scene, change) {
  const [low, high] = scene.span.map(Math.log10), { L, indefinite } = scene.marks;
  const share = (gamma) => (Math.log10(gamma) - low) / (high - low);
  const slider = make("input", { type: "range", min: 0, max: GAMMA_STEPS, step: 1, value: Math.round(share(form.gamma) * GAMMA_STEPS),
    "aria-label": "client rate gamma (log scale)", "aria-valuetext": `gamma ${short(form.gamma)}` });
  slider.addEventListener("input", () => change((f) => {
    f.gamma = Number((10 ** (low + (slider.valueAsNumber / GAMMA_STEPS) * (high - low))).toPrecision(3));
  }, true));
  const tick = (gamma, text, kind) => make("span", { class: `tick ${kind}`, "data-share": share(gamma), style: `left: calc(8px + ${share(gamma)} * (100% - 16px))` }, text);
  const marks = make("div", { class: "ticks" }, tick(L, "1/L", "rate"),
    indefinite && tick(indefinite.gamma, `client ${indefinite.i} indefinite`, "turn"));
  const told = indefinite ? `Client ${indefinite.i} turns indefinite at γ = ${short(indefinite.gamma, 3)}.` : "No client turns indefinite on this slider.";
  return [
    field("client rate γ", number("client rate gamma", form.gamma, (v) => change((f) => { f.gamma = v; }), { min: 0 })),
    make("div", { class: "ruled" }, slider, marks),
    make("p", { class: "hint" }, `1/L = ${short(L)}. ${told}`),
  ];
}

function stepsFields(form, change) {
  const byHand = typeof form.theta !== "string";
  const slider = make("input", { type: "range", min: 0, max: 100, step: 0.5, value: tAt(form.steps), "aria-label": "local steps K", "aria-valuetext": `${form.steps} steps` });
  slider.addEventListener("input", () => change((f) => { f.steps = stepsAt(slider.valueAsNumber); }, true));
  const found = byHand ? [] : [
    field("local steps K", number("number of local steps K", form.steps, (v) => change((f) => { f.steps = Math.round(v); }), { min: 1, step: 1 })),
    make("div", { class: "ruled" }, slider),
  ];
  if (form.method !== "local-update") return found;
  const kinds = [["sum", "sum: 1, …, 1 (FedAvg)"], ["last", "last: 0, …, 0, 1 (FOMAML)"], ["maml", "maml: the (2K+1)th"], ["hand", "by hand"]];
  found.push(field("Θ, weights of the steps", select("theta, the weights of the steps", kinds, byHand ? "hand" : form.theta, (kind) => change((f) => { f.theta = kind === "hand" ? [1, 1] : kind; }))));
  if (byHand) {
    const text = make("input", { type: "text", value: form.theta.join(", "), "aria-label": "weights of the local steps, by hand" });
    text.addEventListener("change", () => change((f) => { f.theta = text.value.split(/[\s,]+/).filter(Boolean).map(quotient); }));
    found.push(field("θ₁, θ₂, …", text));
  }
  return found;
}

// 0.5, or 1/2
function quotient(text) {
  const [above, below = "1", ...more] = text.split("/");
  return more.length ? NaN : Number(above) / Number(below);
}

function serverFields(form, scene, method, change) {
  const kind = form.eta === null ? "plain" : form.eta === "best" ? "best" : "own";
  const kinds = [["plain", "plain averaging"], ["best", "best"], ["own", "my own"]];
  const eta = method.takes.includes("eta") ? [
    field("server rate η", select("server rate", kinds, kind, (k) => change((f) => { f.eta = k === "plain" ? null : k === "best" ? "best" : Number(scene.eta.toPrecision(3)); })), `η = ${short(scene.eta)}`),
    kind === "own" ? field("η", number("server rate eta", form.eta, (v) => change((f) => { f.eta = v; }), { min: 0 })) : null,
  ] : [];
  return [...eta, field("rounds T", number("rounds", form.rounds, (v) => change((f) => { f.rounds = Math.round(v); }), { min: 0, step: 1 })),
    scene.d <= 3 ? make("div", { class: "field" }, make("span", { class: "name" }, "start x₀"), make("span", { class: "row" },
      ...form.start.map((v, j) => number(`start, coordinate ${j + 1}`, v, (x) => change((f) => { f.start[j] = x; f.startGiven = true; }))))) : null];
}

function noiseFields(form, scene, local, change) {
  if (!local) return [make("p", { class: "hint" }, "Sampled clients and minibatches: exact moments are known of local-update (FedAvg and Reptile are its Θ = sum, FOMAML last, MAML maml).")];
  const some = form.per_round !== null, batch = form.batch !== null, plain = form.problem.kind === "c" && !form.problem.weights;
  const has = form.problem.kind === "examples" || form.problem.spread > 0;
  const found = [field("clients a round", select("clients a round", [["all", `all ${scene.n}`], ["some", "sampled"]], some ? "some" : "all", (k) => change((f) => { f.per_round = k === "some" ? 1 : null; })))];
  if (some) {
    found.push(
      field("M", number("clients drawn a round", form.per_round, (v) => change((f) => { f.per_round = Math.round(v); }), { min: 1, step: 1 })),
      field("drawn", select("how clients are drawn", [["iid", "with replacement, by weight"], ["uniform", "distinct"]], form.sampling, (k) => change((f) => { f.sampling = k; }))));
  }
  if (!has && !plain) return found;
  const turn = (k) => change((f) => {
    f.batch = k === "full" ? null : 1;
    if (k !== "full" && f.problem.kind === "c" && !f.problem.spread) f.problem.spread = 0.5;
  });
  found.push(field("local gradients", select("local gradients", [["full", "full"], ["mini", "minibatches"]], batch ? "mini" : "full", turn)));
  if (batch) found.push(field("batch size", number("batch size", form.batch, (v) => change((f) => { f.batch = Math.round(v); }), { min: 1, step: 1 })));
  if (batch && form.problem.kind === "c") {
    found.push(field("spread of examples", number("spread of a client's examples about its minimizer", form.problem.spread, (v) => change((f) => { f.problem.spread = v; }), { min: 0 }), "c ± spread along each axis"));
  }
  return found;
}
