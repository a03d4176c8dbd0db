/** The payload, as a form and as JSON: two views of one document. */

import { $, isObject, make, me, on, parse, send } from "./page.js";

let timer, isUnsent = false, findings = [];

function edited(text) {
  $("json").value = text;
  isUnsent = true;
  fill();
  clearTimeout(timer);
  timer = setTimeout(sendEdit, 120);
}

function sendEdit() {
  if (isUnsent && send({ type: "edit", text: $("json").value })) isUnsent = false;
}

/** Changes the payload by the form. */
function change(body) {
  const payload = parse($("json").value);
  if (!isObject(payload)) return;
  body(payload);
  edited(JSON.stringify(payload, null, 2));
}

const aps = (payload) => isObject(payload.aps) ? payload.aps : (payload.aps = {});

function setAlert(name, value) {
  change((payload) => {
    const own = aps(payload), alert = own.alert;
    if (name === "body" && !isObject(alert)) {
      own.alert = value;
    } else {
      const object = isObject(alert) ? alert : alert === undefined || alert === "" ? {} : { body: alert };
      if (value === "") delete object[name]; else object[name] = value;
      own.alert = object;
    }
  });
}

/** Fills the form from the JSON; what has the focus is left alone if it says the same. */
function fill() {
  const text = $("json").value;
  const payload = text.trim() === "" ? {} : parse(text);
  const isUsable = isObject(payload);
  $("form").disabled = !isUsable;
  if (!isUsable) return mark();
  const own = isObject(payload.aps) ? payload.aps : {};
  const alert = isObject(own.alert) ? own.alert : { body: own.alert };
  const put = (input, value) => { if (input.value !== value) input.value = value; };
  for (const name of ["title", "subtitle", "body"])
    put($(`alert-${name}`), typeof alert[name] === "string" ? alert[name] : "");
  put($("category"), typeof own.category === "string" ? own.category : "");
  const keys = Object.keys(payload).filter((key) => key !== "aps" && typeof payload[key] === "string");
  const rows = [...$("keys").children];
  if (rows.map((row) => row.dataset.key).join("\n") !== keys.join("\n"))
    $("keys").replaceChildren(...keys.map(keyRow));
  for (const row of $("keys").children) put(row.querySelector("input"), payload[row.dataset.key]);
  mark();
}

function keyRow(key) {
  const input = make("input", { id: `key-${key}`, dir: "auto" });
  input.oninput = () => change((payload) => { payload[key] = input.value; });
  const remove = make("button", { type: "button", textContent: "×" });
  remove.setAttribute("aria-label", `Remove ${key}`);
  remove.onclick = () => change((payload) => { delete payload[key]; });
  const row = make("div", { className: "row" }, make("label", {}, key, input), remove);
  row.dataset.key = key;
  return row;
}

/** Names each finding at its place. */
function mark() {
  const places = { "/aps/alert/title": "alert-title", "/aps/alert/subtitle": "alert-subtitle",
    "/aps/alert/body": "alert-body", "/aps/alert": "alert-body", "/aps/category": "category" };
  const marked = new Map();
  for (const { path, level, message } of findings) {
    const key = path?.startsWith("/") && !path.startsWith("/aps") ? path.slice(1).replaceAll("~1", "/").replaceAll("~0", "~") : null;
    const input = $(places[path]) ?? (key === null ? null : $(`key-${key}`)) ?? (path ? null : $("json"));
    if (input && level === "error") marked.set(input, message);
  }
  for (const input of document.querySelectorAll("#form input, #json")) {
    if (marked.has(input)) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
    input.title = marked.get(input) ?? "";
  }
}

function select(line, column) {
  const lines = $("json").value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + Math.max(0, column - 1);
  $("json").focus();
  $("json").setSelectionRange(start, start + 1);
}

// ---- What the preview tells

on("welcome", sendEdit);

on("editor", (message) => {
  findings = message.findings;
  if (!isUnsent && message.author !== me && $("json").value !== message.text) $("json").value = message.text;
  fill();
  $("save").disabled = $("load").disabled = !message.file;
  const state = message.isChangedOnDisk ? "changed on disk; Load shows it, Save replaces it"
    : message.isDirty ? "not saved" : "saved";
  $("file").textContent = message.file ? `${message.file}: ${state}` : "in no file";
  $("findings").replaceChildren(...findings.map((finding) => {
    const place = finding.line ? `line ${finding.line}, column ${finding.column}` : finding.path || "payload";
    const item = make("li", { className: finding.level },
      `${finding.level}: ${place}: ${finding.message}${finding.advice ? ` (${finding.advice})` : ""} `);
    if (finding.line)
      item.append(make("button", { type: "button", textContent: "Show", onclick: () => select(finding.line, finding.column) }));
    return item;
  }));
});

/** The text of the window is given up for the one that the preview will send. */
export function discard() { isUnsent = false; }

// ---- Controls

$("json").oninput = () => edited($("json").value);
for (const input of document.querySelectorAll("[data-alert]")) input.oninput = () => setAlert(input.dataset.alert, input.value);
$("category").oninput = () => change((payload) => {
  if ($("category").value === "") delete aps(payload).category; else aps(payload).category = $("category").value;
});
$("add-key").onclick = () => {
  const key = $("new-key").value;
  if (key === "" || key === "aps") return;
  change((payload) => { payload[key] ??= ""; });
  $("new-key").value = "";
  $(`key-${key}`)?.focus();
};
$("new-key").onkeydown = (event) => { if (event.key === "Enter") $("add-key").click(); };
$("push").onclick = () => send({ type: "push" });
$("save").onclick = () => { sendEdit(); send({ type: "save" }); };
$("load").onclick = () => send({ type: "load" });
