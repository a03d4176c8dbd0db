/** The payload: what the preview has of it, and the form, which is another view of the text. */

import { $, breakable, isObject, make, me, on, parse, send } from "./page.js";
import * as code from "./code.js";
import { find, set, tree } from "./json.js";
import { ask, findings, follow, onFindings } from "./language.js";
import "./files.js";

/** How long a change waits for the one before to be shown, in milliseconds; an extension may hang. */
const PATIENCE = 250;
/** What the preview takes at most, in bytes. */
const LIMIT = 200_000;

let edits = 0, isUnsent = false, underWay = 0, timer, file, outline = null, alert = {};

// ---- The preview

/** Sends the text; while one is under way the newest waits, and those between are never sent. */
function sendEdit(isUrgent = false) {
  if (!isUnsent || (underWay && !isUrgent)) return;
  clearTimeout(timer);
  const text = code.text();
  if (text.length > LIMIT / 3 && new TextEncoder().encode(text).length > LIMIT) {
    $("file-state").textContent = `too large to be shown; a payload has at most 4,096 bytes`;
    return;
  }
  if (!send({ type: "edit", text, edit: edits })) return;
  isUnsent = false;
  underWay = edits;
  timer = setTimeout(() => { underWay = 0; sendEdit(); }, PATIENCE);
}

follow(() => ({ edits, isPending: isUnsent || underWay > 0, flush: () => sendEdit(true) }));

code.onChange((isOwn) => {
  if (isOwn) {
    edits += 1;
    isUnsent = true;
    sendEdit();
  }
  fill();
  const { canUndo, canRedo } = code.history();
  [$("undo").disabled, $("redo").disabled] = [!canUndo, !canRedo];
});

on("welcome", () => { underWay = 0; sendEdit(); });

on("editor", (message) => {
  const isOther = message.file !== file;
  file = message.file;
  if (message.author !== me && !isUnsent && !underWay && (isOther || message.text !== code.text())) code.reset(message.text, isOther);
  $("save").disabled = !file || !message.isDirty;
  $("load").disabled = !file || !message.isDirty;
  const state = !file ? "in no file" : message.isChangedOnDisk ? "changed on disk" : message.isDirty ? "not saved" : "saved";
  $("file").dataset.state = state;
  $("file-name").textContent = file?.split("/").slice(-2).join("/") ?? "";
  $("file-name").title = file ?? "";
  $("file-state").textContent = state;
});

on("shown", (message) => {
  alert = message.alert ?? {};
  if (message.author !== me || message.edit >= underWay) {
    underWay = 0;
    clearTimeout(timer);
  }
  sendEdit();
  placeholders();
});

/** The text of the window is given up for the one that the preview will send. */
export function discard() {
  isUnsent = false;
  underWay = 0;
}

// ---- The form

/** The members of `aps` that have a field each. */
const fields = { category: $("category"), badge: $("badge"), sound: $("sound"), "thread-id": $("thread"), "interruption-level": $("level") };
const texts = { title: "title-", subtitle: "subtitle-", body: "" };

/** The form shows at most so many keys of its own; the others are in the JSON. */
const ROWS = 50;

let payload = {}, root = null;

function fill() {
  const text = code.plain();
  payload = text.trim() === "" ? {} : parse(text);
  const isUsable = isObject(payload);
  $("form").disabled = !isUsable;
  if (!isUsable) { root = null; return mark(); }
  root = text.trim() === "" ? null : tree(text);
  const aps = isObject(payload.aps) ? payload.aps : {};
  const own = isObject(aps.alert) ? aps.alert : { body: aps.alert };
  const put = (input, value) => { if (input.value !== value) input.value = value; };
  for (const name of Object.keys(texts)) put($(`alert-${name}`), typeof own[name] === "string" ? own[name] : "");
  for (const [name, input] of Object.entries(fields)) {
    const value = aps[name];
    const isPlain = ["string", "number"].includes(typeof value);
    put(input, isPlain ? String(value) : "");
    input.placeholder = value === undefined || isPlain ? input.dataset.placeholder ?? "" : JSON.stringify(value);
  }
  const all = Object.keys(payload).filter((key) => key !== "aps"), keys = all.slice(0, ROWS);
  $("more-keys").textContent = all.length > ROWS ? `${all.length - ROWS} more keys are in the JSON.` : "";
  const rows = [...$("keys").children];
  const kind = (key) => typeof payload[key] !== "string" ? "json" : payload[key].includes("\n") ? "lines" : "text";
  if (JSON.stringify(rows.map((row) => [row.dataset.key, row.dataset.kind])) !== JSON.stringify(keys.map((key) => [key, kind(key)])))
    $("keys").replaceChildren(...keys.map((key) => keyRow(key, kind(key))));
  for (const row of $("keys").children) {
    const value = payload[row.dataset.key];
    put(row.querySelector("input, textarea"), typeof value === "string" ? value : JSON.stringify(value));
  }
  placeholders();
  return mark();
}

/** What iOS shows for the key of a text, where the text itself is not in the payload. */
function placeholders() {
  // What is typed at the moment may be no JSON; the form stays as it was.
  if (!isObject(payload)) return;
  const own = isObject(payload.aps?.alert) ? payload.aps.alert : {};
  for (const [name, prefix] of Object.entries(texts))
  {
    const key = own[`${prefix}loc-key`], isLocalized = key !== undefined;
    $(`alert-${name}`).placeholder = isLocalized ? alert[name] ?? key : "";
    $(`${name}-hint`).textContent = isLocalized ? `Localized from ${key}. Typing replaces it.` : "";
  }
}

const change = (path, value) => code.change(set(code.plain(), path, value), `form ${path.join("/")}`);

function setText(name, value) {
  const own = payload.aps?.alert;
  if (isObject(own)) {
    // iOS prefers the key of a text to the text, so what is typed takes its place.
    const keys = ["loc-key", "loc-args"].map((key) => texts[name] + key).filter((key) => Object.hasOwn(own, key));
    const text = keys.reduce((text, key) => set(text, ["aps", "alert", key], undefined), code.plain());
    code.change(set(text, ["aps", "alert", name], value || undefined), `form aps/alert/${name}`);
  }
  else if (name === "body") change(["aps", "alert"], value);
  else if (value !== "") change(["aps", "alert"], { [name]: value, ...(own ? { body: own } : {}) });
}

for (const name of Object.keys(texts)) $(`alert-${name}`).oninput = (event) => setText(name, event.target.value);
for (const [name, input] of Object.entries(fields)) input.oninput = () => {
  const number = name === "badge" && /^\d+$/.test(input.value) ? Number(input.value) : input.value;
  change(["aps", name], input.value === "" ? undefined : number);
};

function keyRow(key, kind) {
  const input = make(kind === "lines" ? "textarea" : "input", { id: `key-${key}`, dir: "auto", readOnly: kind === "json" });
  if (kind === "json") input.title = "Edit it in the JSON.";
  input.oninput = () => change([key], input.value);
  const remove = make("button", { type: "button", className: "plain", textContent: "×", ariaLabel: `Remove ${key}`, title: `Remove ${key}` });
  remove.onclick = () => { change([key], undefined); $("new-key").focus(); };
  const row = make("div", { className: "field" }, make("label", { htmlFor: `key-${key}`, title: key }, ...breakable(key)), input, remove);
  [row.dataset.key, row.dataset.kind] = [key, kind];
  return row;
}

function addKey() {
  const key = $("new-key").value;
  if (key === "" || key === "aps" || !isObject(payload)) return;
  if (!Object.hasOwn(payload, key)) {
    const offered = outline?.keys.find((other) => other.name === key);
    change([key], (offered && parse(offered.value)) ?? "");
  }
  $("new-key").value = "";
  $(`key-${key}`)?.focus();
}

$("add-key").onclick = addKey;
$("new-key").onkeydown = (event) => { if (event.key === "Enter") { event.preventDefault(); addKey(); } };

on("bundles", (message) => {
  $("categories").replaceChildren(...message.categories.map(({ category, name }) => make("option", { value: category, textContent: name })));
});

// ---- What the language server says

const paths = [["category"], ["badge"], ["sound"], ["thread-id"], ["interruption-level"]].map((path) => ["aps", ...path]);

/** Marks the field of each mistake. */
function mark() {
  const errors = findings.filter(({ severity }) => severity === 1), marked = new Map();
  const places = [
    ...Object.keys(texts).map((name) => [$(`alert-${name}`), ["aps", "alert", name]]),
    [$("alert-body"), ["aps", "alert"]], ...paths.map((path) => [fields[path[1]], path]),
    ...[...$("keys").children].map((row) => [row.querySelector("input, textarea"), [row.dataset.key]]),
  ];
  for (const error of errors) {
    const place = root && places.find(([, path]) => {
      const member = find(root, path);
      return member && member.start <= error.start && error.end <= member.value.end;
    });
    marked.set(place ? place[0] : $("json"), error.message);
  }
  for (const input of document.querySelectorAll("#form input, #form textarea, #form select, #json")) {
    if (marked.has(input)) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
    if (!input.readOnly) input.title = marked.get(input) ?? "";
  }
}

onFindings(() => {
  mark();
  const count = (severity) => findings.filter((finding) => finding.severity === severity).length;
  const names = [[count(1), "error"], [count(2), "warning"], [count(3), "note"]].filter(([number]) => number)
    .map(([number, name]) => `${number} ${name}${number === 1 ? "" : "s"}`);
  $("finding-count").textContent = names.join(", ") || "No findings";
  $("finding-link").textContent = names.join(", ");
  $("finding-link").hidden = !names.length;
  $("findings").replaceChildren(...findings.map((finding) => {
    const { line, character } = finding.range.start;
    const name = ["", "error", "warning", "note"][finding.severity];
    const place = make("button", { type: "button", className: "place", textContent: `${line + 1}:${character + 1}`,
      ariaLabel: `Show line ${line + 1}, column ${character + 1}` });
    place.onclick = () => code.select(finding.start, finding.end);
    return make("li", { className: `finding s${finding.severity}` }, make("b", {}, name), " ", place, " ", finding.message,
      ...finding.fixes.map((fix) => make("button", { type: "button", className: "fix", textContent: fix.title, onclick: fix.apply })));
  }));
  measure();
});

/** Shows how many bytes each key takes, and which keys the payload may have besides. */
async function measure() {
  outline = await ask("pushhost/payload") ?? outline;
  if (!outline) return;
  const { bytes, limit, shares, keys } = outline, number = (value) => value.toLocaleString("en-US");
  const rest = bytes > limit ? `${number(bytes - limit)} too many` : `${number(limit - bytes)} left`;
  $("bytes").classList.toggle("over", bytes > limit);
  $("byte-count").textContent = `${number(bytes)} of ${number(limit)} bytes, ${rest}`;
  const whole = Math.max(bytes, limit);
  $("segments").replaceChildren(...shares.map(({ key, bytes: own }) => {
    const segment = make("span", { title: `${key}: ${number(own)} bytes` });
    segment.style.width = `${100 * own / whole}%`;
    return segment;
  }));
  const signs = { key: "braces and commas", bytes: bytes - shares.reduce((sum, share) => sum + share.bytes, 0) };
  $("byte-rows").replaceChildren(...[...shares, signs].map(({ key, bytes: own }) =>
    make("tr", {}, make("th", { scope: "row" }, make("i", {}), key), make("td", {}, number(own)))));
  $("offers").replaceChildren(...keys.map(({ name, documentation }) =>
    make("option", { value: name, textContent: documentation.replaceAll("`", "").split("\n")[0] })));
}

// ---- Controls

code.keepHistory($("form"));
code.keepHistory($("json"));
$("undo").onclick = code.undo;
$("redo").onclick = code.redo;
$("fold").onclick = code.foldAll;
$("push").onclick = () => send({ type: "push" });
$("save").onclick = () => { sendEdit(true); send({ type: "save" }); };
$("load").onclick = () => { sendEdit(true); send({ type: "load" }); };
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "s") return;
  event.preventDefault();
  if (!$("save").disabled || isUnsent || underWay) $("save").click();
});
