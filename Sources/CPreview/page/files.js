/** Files: the payloads that can be opened, and how the text differs from its file. */

import { $, make, on, send } from "./page.js";
import * as code from "./code.js";

// ---- The list

let payloads = null;

function list() {
  const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (payloads ?? []).filter(({ name, bundle, title }) =>
    words.every((word) => `${name} ${bundle ?? ""} ${title}`.toLowerCase().includes(word)));
  $("found").textContent = payloads === null ? "Searching…" : `${found.length} of ${payloads.length} payloads`;
  $("payloads").replaceChildren(...found.map(({ path, name, bundle, title }) => {
    const button = make("button", { type: "button" }, make("b", { dir: "auto" }, title || name.split("/").pop()),
      make("span", {}, name), ...(bundle ? [make("i", {}, bundle)] : []));
    button.onclick = () => { $("files").close(); send({ type: "open", path }); };
    return make("li", {}, button);
  }));
}

$("open").onclick = () => {
  payloads = null;
  $("search").value = "";
  list();
  $("files").showModal();
  $("search").focus();
  send({ type: "payloads" });
};
on("payloads", (message) => { payloads = message.payloads; list(); });
$("search").oninput = list;
$("files").onkeydown = (event) => {
  const buttons = [...$("payloads").querySelectorAll("button")], index = buttons.indexOf(document.activeElement);
  if (event.key === "ArrowDown") buttons[Math.min(index + 1, buttons.length - 1)]?.focus();
  else if (event.key === "ArrowUp") (buttons[index - 1] ?? $("search")).focus();
  else if (event.key === "Enter" && document.activeElement === $("search")) buttons[0]?.click();
  else return;
  event.preventDefault();
};

// ---- The changes

/** More pairs of lines than this are not compared one by one. */
const PAIRS = 4e6;
/** How many lines around a change are shown. */
const CONTEXT = 3;

let saved = null;

/** The lines of two texts in order: those of both, and those that only the old or the new text has. */
export function compare(old, now) {
  const [one, other] = [old.split("\n"), now.split("\n")];
  let start = 0, end = 0;
  const most = Math.min(one.length, other.length);
  while (start < most && one[start] === other[start]) start += 1;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const both = (lines) => lines.map((text) => ({ kind: "", text }));
  return [...both(one.slice(0, start)), ...between(left, right), ...both(one.slice(one.length - end))];
}

/** The longest common lines of two texts, and the others around them. */
function between(left, right) {
  const removed = (text) => ({ kind: "removed", text }), added = (text) => ({ kind: "added", text });
  if (left.length * right.length > PAIRS) return [...left.map(removed), ...right.map(added)];
  const width = right.length + 1, lengths = new Uint32Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] = left[row] === right[column] ? lengths[(row + 1) * width + column + 1] + 1
        : Math.max(lengths[(row + 1) * width + column], lengths[row * width + column + 1]);
  const result = [];
  let row = 0, column = 0;
  while (row < left.length || column < right.length) {
    if (row < left.length && column < right.length && left[row] === right[column]) {
      result.push({ kind: "", text: left[row] });
      row += 1;
      column += 1;
    } else if (column === right.length || row < left.length && lengths[(row + 1) * width + column] >= lengths[row * width + column + 1]) {
      result.push(removed(left[row]));
      row += 1;
    } else {
      result.push(added(right[column]));
      column += 1;
    }
  }
  return result;
}

function diff() {
  const lines = saved === null ? [] : compare(saved, code.plain());
  const count = (kind) => lines.filter((line) => line.kind === kind).length;
  const [added, removed] = [count("added"), count("removed")];
  $("changes").textContent = added + removed ? `Changes +${added} −${removed}` : "Changes";
  const isShown = $("changes").getAttribute("aria-pressed") === "true";
  $("diff").hidden = !isShown;
  $("code").hidden = isShown;
  if (!isShown) return;
  const near = lines.map((_, index) => lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => line.kind));
  const rows = [];
  let old = 0, now = 0, isCut = false;
  for (const [index, { kind, text }] of lines.entries()) {
    if (kind !== "added") old += 1;
    if (kind !== "removed") now += 1;
    if (near[index]) {
      if (isCut && rows.length) rows.push(make("tr", { className: "cut" }, make("td", { colSpan: 3 }, "⋯")));
      isCut = false;
      const sign = { added: "+", removed: "−" }[kind] ?? "";
      rows.push(make("tr", { className: kind }, make("td", {}, String(kind === "removed" ? old : now)),
        make("td", {}, sign), make("td", { dir: "ltr" }, text)));
    } else isCut = true;
  }
  $("diff-rows").replaceChildren(...rows);
  $("diff-none").hidden = rows.length > 0;
}

on("file", (message) => { saved = message.text.replaceAll(/\r\n?/g, "\n"); diff(); });
code.onChange(diff);
$("changes").onclick = () => {
  const isShown = $("changes").getAttribute("aria-pressed") !== "true";
  $("changes").setAttribute("aria-pressed", String(isShown));
  diff();
};
