/** The timeline as a sequence diagram, what was saved, and what a flush would send. */

import { $, isObject, make, notice, on, parse, send } from "./page.js";

const KINDS = { saved: "saved", flush: "dry run", error: "error", stderr: "stderr", log: "log", end: "process" };
const NOTES = ["stderr", "log", "end", "note"];
let lanes = [], columns = [], entries = [], isAtEnd = true, opened;
const rows = new Map();
/** The edits that followed one another: of which only the newest is shown, and the row that stands for the others. */
const runs = new Map();

const seconds = (time) => !Number.isFinite(time) ? "" : (time / 1000).toFixed(3);
const title = (id) => lanes.find((lane) => lane.id === id)?.title ?? id.split(/[. ]/).pop();
const route = ({ from, to }) => to ? `${title(from)} to ${title(to)}` : title(from);
const span = (className, ...content) => make("span", { className }, ...content);

// ---- Rows

/** The row of an entry. An answer right after its call is drawn in the call's row, a later one has a row of its own. */
function add(entry) {
  entries.push(entry);
  if (entry.run) addEdit(entry);
  const call = entry.call ? rows.get(entry.call) : null;
  if (call) {
    call.answer = entry;
    call.time.textContent = entry.duration === undefined ? "" : `${entry.duration} ms`;
    call.spoken.textContent = `, ${route(call.entry)}, ${entry.kind === "error" ? "refused" : "answered"}${
      entry.duration === undefined ? "" : ` after ${entry.duration} ms`}`;
    if (entry.kind === "answer" && call.item === $("timeline").lastElementChild) {
      call.item.classList.add("answered");
      return;
    }
  }
  const isReturn = entry.kind === "answer";
  const row = { entry, time: span("took"), spoken: span("spoken", `, ${route(entry)}`), arrow: span("arrow") };
  row.arrow.setAttribute("aria-hidden", "true");
  row.label = span("label", isReturn && entry.duration !== undefined ? `${entry.duration} ms` : entry.text, row.time);
  row.route = span("route", `${entry.kind in KINDS ? `${KINDS[entry.kind]}, ` : ""}${route(entry).replace(" to ", " → ")}`);
  row.route.setAttribute("aria-hidden", "true");
  row.button = make("button", { type: "button", tabIndex: -1 },
    span("time", seconds(entry.t)), row.arrow, row.label, row.route, row.spoken);
  row.item = make("li", { className: `${entry.kind}${NOTES.includes(entry.kind) ? " note" : ""}` }, row.button);
  row.item.dataset.kind = entry.kind;
  if (isReturn) {
    // Who reads the list knows from the call when it was answered.
    row.item.setAttribute("aria-hidden", "true");
    row.button.disabled = true;
  }
  row.button.onclick = () => open(entry.n);
  row.button.onfocus = () => { for (const other of rows.values()) other.button.tabIndex = other === row ? 0 : -1; };
  rows.set(entry.n, row);
  $("timeline").append(row.item);
}

/** Notes that an entry belongs to an edit; the first of an edit folds the entries of those before. */
function addEdit({ run: number, edit }) {
  const run = runs.get(number) ?? { edit, first: edit, isOpen: false };
  runs.set(number, run);
  if (run.edit === edit) return;
  run.edit = edit;
  if (!run.item) {
    const button = make("button", { type: "button", className: "fold" });
    button.onclick = () => {
      run.isOpen = !run.isOpen;
      filter(entries);
    };
    run.item = make("li", { className: "edits" }, button);
  }
  $("timeline").append(run.item);
  filter(entries);
}

/** Says what each row of folded edits hides, or removes it if there is nothing. */
function showFolds() {
  for (const [number, run] of runs) {
    if (!entries.some((entry) => entry.run === number && entry.edit !== run.edit)) {
      run.item?.remove();
      if (!entries.some((entry) => entry.run === number)) runs.delete(number);
      continue;
    }
    const count = run.edit - run.first, button = run.item.firstElementChild;
    const failed = new Set(entries.filter((entry) =>
      entry.run === number && entry.edit !== run.edit && ["error", "stderr"].includes(entry.kind)).map(({ edit }) => edit)).size;
    button.textContent = `${run.isOpen ? "Hide" : "Show"} ${count} earlier ${count === 1 ? "change" : "changes"}${
      failed ? `, ${failed} with errors` : ""}`;
    run.item.classList.toggle("failed", failed > 0);
    button.setAttribute("aria-expanded", String(run.isOpen));
  }
}

/** Puts the rows of entries on the lanes that are in use. */
function place(list) {
  const used = new Set(entries.flatMap(({ from, to }) => [from, to]));
  const now = lanes.filter((lane) => used.has(lane.id)).map((lane) => lane.id);
  if (now.join("\n") !== columns.join("\n")) {
    [columns, list] = [now, entries];
    $("timeline-chart").style.setProperty("--lanes", now.length || 1);
    $("timeline-lanes").replaceChildren(...lanes.filter((lane) => used.has(lane.id))
      .map((lane) => make("div", { title: lane.id }, make("b", {}, lane.title), " ", make("small", {}, lane.role))));
    const chosen = $("timeline-lane").value;
    $("timeline-lane").replaceChildren(make("option", { value: "", textContent: "All participants" }),
      ...now.map((id) => make("option", { value: id, textContent: title(id) })));
    $("timeline-lane").value = now.includes(chosen) ? chosen : "";
  }
  for (const entry of list) {
    const row = rows.get(entry.n);
    if (!row) continue;
    const from = Math.max(0, columns.indexOf(entry.from)), to = entry.to ? columns.indexOf(entry.to) : from;
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    // What is long goes on to the right.
    const isNote = row.item.classList.contains("note") || entry.kind === "error";
    row.item.classList.toggle("left", to < from);
    row.item.classList.toggle("dot", from === to);
    row.arrow.style.gridColumn = `${first + 2} / ${last + 3}`;
    row.label.style.gridColumn = `${first + 2} / ${isNote ? columns.length + 2 : last + 3}`;
    row.button.style.setProperty("--arrow", last - first + 1);
    row.button.style.setProperty("--note", columns.length - first);
  }
  filter(list);
}

/** Hides what the filter does not want; a return goes with its call. */
function filter(list) {
  const text = $("timeline-filter").value.trim().toLowerCase(), lane = $("timeline-lane").value;
  const isWanted = (entry) => (!lane || entry.from === lane || entry.to === lane)
    && (!text || `${entry.text} ${entry.kind} ${entry.raw ?? ""}`.toLowerCase().includes(text))
    && (text || !entry.run || runs.get(entry.run).isOpen || runs.get(entry.run).edit === entry.edit);
  for (const entry of list) {
    const row = rows.get(entry.n);
    if (!row) continue;
    row.item.hidden = entry.kind === "answer" && rows.has(entry.call) ? rows.get(entry.call).item.hidden
      : !isWanted(entry) && !(row.answer && isWanted(row.answer));
  }
  showFolds();
  const shown = choosable();
  $("timeline-empty").hidden = shown.length > 0;
  $("timeline-empty").textContent = entries.length ? "Nothing matches the filter."
    : "No calls here. New ones appear as they happen.";
  if (!shown.some((row) => row.button.tabIndex === 0) && shown.length) shown[shown.length - 1].button.tabIndex = 0;
}

/** The rows that the keys reach. */
const choosable = () => [...rows.values()].filter((row) => !row.item.hidden && !row.button.disabled);

// ---- One entry

const pretty = (raw) => {
  const value = parse(raw);
  return value === undefined ? raw : JSON.stringify(value, null, 2);
};
const part = (name, text) => [make("h4", {}, name), make("pre", { tabIndex: 0 }, text)];

/** The lines that an extension wrote one after the other, such as a traceback. */
function block({ n, from, kind }) {
  const index = entries.findIndex((entry) => entry.n === n);
  const isSame = (entry) => entry?.kind === kind && entry.from === from;
  let [start, end] = [index, index];
  while (isSame(entries[start - 1])) start -= 1;
  while (isSame(entries[end + 1])) end += 1;
  return entries.slice(start, end + 1).map(({ text }) => text).join("\n");
}

/** Shows the lines of an entry. */
function open(n) {
  const row = rows.get(n), { entry, answer } = row;
  for (const other of rows.values()) other.item.classList.toggle("open", other === row);
  opened = row;
  const call = entry.call ? entries.find((other) => other.n === entry.call) : null;
  const error = parse((answer ?? entry).raw ?? "")?.error;
  const trace = error?.data?.stderr;
  const parts = [];
  if (answer?.kind === "error" || entry.kind === "error") parts.push(make("p", { className: "error" }, error?.message ?? entry.text));
  if (typeof trace === "string" && trace) parts.push(...part("What the extension wrote to stderr", trace));
  if (NOTES.includes(entry.kind)) parts.push(...part("Lines", block(entry)));
  if (call?.raw) parts.push(...part("Call", pretty(call.raw)));
  if (entry.raw) parts.push(...part(entry.call ? "Answer" : entry.kind === "call" ? "Call" : "Message", pretty(entry.raw)));
  if (answer?.raw) parts.push(...part("Answer", pretty(answer.raw)));
  const facts = [route(entry).replace(" to ", " → "), entry.t === null ? "" : `at ${seconds(entry.t)} s`,
    (answer ?? entry).duration === undefined ? "" : `answered after ${(answer ?? entry).duration} ms`];
  $("entry-title").textContent = entry.text;
  $("entry-facts").textContent = facts.filter(Boolean).join(", ");
  $("entry-lines").replaceChildren(...parts);
  $("entry").hidden = false;
  $("entry").scrollTop = 0;
}

function close() {
  $("entry").hidden = true;
  opened?.item.classList.remove("open");
  opened?.button.focus();
}

function clear() {
  entries = [];
  rows.clear();
  runs.clear();
  $("timeline").replaceChildren();
  $("entry").hidden = true;
  place([]);
}

// ---- What the preview tells

on("lanes", (message) => { lanes = message.lanes; });

on("timeline", (message) => {
  const list = $("timeline");
  if (message.whole) clear();
  for (const entry of message.entries) add(entry);
  for (const old of entries.splice(0, Math.max(0, entries.length - message.limit))) {
    rows.get(old.n)?.item.remove();
    rows.delete(old.n);
  }
  place(message.entries);
  if (isAtEnd) list.scrollTop = list.scrollHeight;
});

function save(message, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([message.text], { type })), download: message.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

on("session", (message) => {
  save(message, "application/jsonl");
  notice(`Saved as ${message.name}; pushhost replay runs it.`, false);
});

on("export", async (message) => {
  const type = message.name.endsWith(".svg") ? "image/svg+xml" : "text/markdown";
  const bitmap = message.name === "notification.svg" ? await pixels(message.text) : null;
  const name = bitmap ? "notification.png" : message.name;
  save(bitmap ? { name, text: bitmap } : message, bitmap ? "image/png" : type);
  notice(`Saved as ${name}.`, false);
});

/** A picture as PNG with three pixels for each point, as a phone has; null if the browser does not give its pixels. */
async function pixels(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  try {
    await image.decode();
    const canvas = make("canvas", { width: 3 * image.width, height: 3 * image.height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done));
  } catch { return null; }
}

// ---- Records

const RECORDS = { customEvent: ["Custom event", "name"], customAttribute: ["Custom attribute", "key"], userAttribute: ["User attribute", "field"] };
const shownValue = (value) => typeof value === "string" ? value : JSON.stringify(value);

let zone;
on("choices", (message) => { zone = message.zone; });

/** The time of day at which a record was saved, in the host's zone as far as the browser knows it. */
function clockTime(text) {
  const time = new Date(text);
  for (const timeZone of [zone, "UTC"]) {
    try { return time.toLocaleTimeString("en-GB", { timeZone }); } catch { /* The next one is known. */ }
  }
}

function record(value) {
  const [kind, name] = RECORDS[value.kind] ?? [value.kind, "name"];
  const facts = Object.entries(isObject(value.properties) ? value.properties : value.value === undefined ? {} : { value: value.value });
  return make("li", { className: "record" },
    make("p", {}, span("kind", kind), make("b", {}, value[name] ?? ""), make("time", { title: value.time ?? "" }, `#${value.id} ${clockTime(value.time)}`)),
    facts.length ? make("dl", {}, ...facts.map(([key, each]) =>
      make("div", {}, make("dt", {}, key), make("dd", {}, shownValue(each))))) : "");
}

on("records", (message) => {
  $("clear-records").hidden = !message.canClear || message.count === 0;
  $("record-count").textContent = message.count;
  const suites = new Map();
  for (const { suite, record } of message.records.toReversed())
    suites.set(suite, [...suites.get(suite) ?? [], record]);
  $("records").replaceChildren(...[...suites].map(([suite, list]) => make("li", {},
    make("h3", {}, suite, span("count", list.length)), make("ol", {}, ...list.map(record)))));
  if (!suites.size) $("records").append(make("li", { className: "empty" }, "Nothing is saved yet."));
});

on("flush", (message) => {
  // A request is a block of lines: its method and address, headers, body.
  $("flush").replaceChildren(...message.text.trimEnd().split("\n\n").map((text) => {
    const [first, ...lines] = text.split("\n");
    if (!lines.length) return make("p", {}, first);
    return make("details", { open: true }, make("summary", {}, first), make("pre", {}, lines.join("\n")));
  }));
});

// ---- Controls

$("timeline").onscroll = () => {
  const list = $("timeline");
  isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
  list.classList.toggle("scrolled", list.scrollTop > 0);
};
$("timeline").onkeydown = (event) => {
  const list = choosable(), index = list.findIndex((row) => row.button === document.activeElement);
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: list.length - 1 }[event.key];
  if (next === undefined || index < 0) return;
  event.preventDefault();
  list[Math.min(Math.max(next, 0), list.length - 1)]?.button.focus();
};
$("timeline-panel").addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !$("entry").hidden) close();
});
$("entry-close").onclick = close;
$("timeline-filter").oninput = $("timeline-lane").onchange = () => filter(entries);
$("clear").onclick = clear;
$("clear-records").onclick = () => send({ type: "clearRecords" });
$("save-picture").onclick = () => send({ type: "export", format: "picture" });
$("record").onclick = () => send({ type: "record" });
for (const [id, format] of [["export-svg", "svg"], ["export-report", "report"]])
  $(id).onclick = () => send({ type: "export", format, after: (entries[0]?.n ?? 1) - 1 });
clear();
