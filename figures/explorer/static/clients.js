// The table of clients: minimizers, Hessians and weights to edit; preconditioners where the method has them.

const EDITABLE = 20; // more clients are edited in a file

function canEdit(form, d) {
  return d <= 3 && form.problem.kind !== "examples" && form.problem.A.length <= EDITABLE;
}

function number(label, value, change, extra = {}) {
  const input = make("input", { type: "number", step: "any", value, "aria-label": label, ...extra });
  input.addEventListener("change", () => input.value !== "" && Number.isFinite(input.valueAsNumber) && change(input.valueAsNumber));
  return input;
}

// change(edit): edit gets a copy of the form's problem (or the form itself) and changes it.
function clientTable(holder, shown, change) {
  const { form, scene } = shown, { problem } = form, d = scene.d;
  holder.replaceChildren();
  if (!canEdit(form, d)) {
    const why = problem.kind === "examples" ? "These clients average examples of their own"
      : d > 3 ? `There are ${d} dimensions` : `There are ${problem.A.length} clients`;
    holder.append(make("p", {}, `${why}: edit them in a file, and load that.`));
  } else holder.append(make("div", { class: "scroll" }, editor(problem, d, change)), buttons(problem, d, change));
  if (form.method === "preconditioned" && problem.kind !== "examples" && scene.n <= EDITABLE && d <= 3) holder.append(make("div", { class: "scroll" }, diagonals(form, change)));
}

function editor(problem, d, change) {
  const letter = problem.kind === "b" ? "b" : "c", upper = [];
  for (let j = 0; j < d; j++) for (let k = j; k < d; k++) upper.push([j, k]);
  const names = [...Array.from({ length: d }, (_, j) => (d > 1 ? `${letter}${j + 1}` : letter)),
    ...upper.map(([j, k]) => (d > 1 ? `A${j + 1}${k + 1}` : "A")), "weight"];
  const head = make("tr", {}, make("th", { scope: "col" }, "client"), ...names.map((name) => make("th", { scope: "col" }, name)));
  const rows = problem.A.map((A, i) => {
    const cell = (name, value, put) => make("td", {}, number(`${name} of client ${i}`, value, (v) => change((form) => put(form.problem, v))));
    return make("tr", {}, make("th", { scope: "row" }, String(i)),
      ...problem.v[i].map((v, j) => cell(names[j], v, (p, x) => { p.v[i][j] = x; })),
      ...upper.map(([j, k], m) => cell(names[d + m], A[j][k], (p, x) => { p.A[i][j][k] = x; p.A[i][k][j] = x; })),
      cell("weight", Number((problem.weights ? problem.weights[i] : 1 / problem.A.length).toPrecision(6)), (p, x) => reweigh(p, i, x)));
  });
  return make("table", { class: "clients" }, make("caption", {}, `f_i(x) = ½ (x − c)ᵀ A (x − c)${letter === "b" ? ", with b = A c" : ""}`), make("thead", {}, head), make("tbody", {}, ...rows));
}

// One weight as given, the others in their proportions, all together 1.
function reweigh(problem, i, weight) {
  const old = problem.weights || problem.A.map(() => 1 / problem.A.length), w = Math.min(Math.max(weight, 0), 1);
  const rest = 1 - old[i] || 1;
  problem.weights = old.map((v, j) => (j === i ? w : (v / rest) * (1 - w)));
}

function buttons(problem, d, change) {
  const add = () => change(({ problem: p, P, method }) => {
    p.A.push(p.A[p.A.length - 1].map((row) => [...row]));
    p.v.push(p.v[p.v.length - 1].map((v) => v + 0.5));
    p.weights = null;
    P.push(Array(d).fill(1));
  });
  const drop = () => change(({ problem: p, P }) => {
    p.A.pop();
    p.v.pop();
    p.weights = null;
    P.pop();
  });
  return make("p", { class: "buttons" },
    make("button", { type: "button", onclick: add, disabled: problem.A.length >= EDITABLE }, "Add a client"),
    make("button", { type: "button", onclick: drop, disabled: problem.A.length < 2 }, "Drop the last client"));
}

function diagonals(form, change) {
  const d = form.P[0].length;
  const head = make("tr", {}, make("th", { scope: "col" }, "client"), ...Array.from({ length: d }, (_, j) => make("th", { scope: "col" }, `P${j + 1}${j + 1}`)));
  const rows = form.P.map((row, i) => make("tr", {}, make("th", { scope: "row" }, String(i)),
    ...row.map((v, j) => make("td", {}, number(`preconditioner ${j + 1} of client ${i}`, v, (x) => change((f) => { f.P[i][j] = x; }), { min: 0 })))));
  return make("table", { class: "clients" }, make("caption", {}, "diagonal preconditioners"), make("thead", {}, head), make("tbody", {}, ...rows));
}
