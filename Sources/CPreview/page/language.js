/** The language server beside the editor: marks and their fixes, completion, and what a part of the payload means. */

import { $, make, me, on, send } from "./page.js";
import * as code from "./code.js";

const area = $("json"), list = $("completions"), tip = $("tip"), menu = $("fixes");
let lastID = 0, uri = "", state = () => ({ edits: 0, isPending: false, flush() {} });
const waiting = new Map();

/** The findings about the text, each with its place and the fixes that the server offers. */
export let findings = [];
const listeners = [];
/** Adds what is called when the findings are others. */
export const onFindings = (listener) => listeners.push(listener);
/** Sets what tells how far the preview has the text. */
export const follow = (sync) => { state = sync; };

/** Asks the server about the text as it is now; nothing for an answer that comes after the next change. */
export function ask(method, params = {}) {
  state().flush();
  const id = lastID += 1, revision = code.revision();
  return new Promise((done) => {
    waiting.set(id, (result) => done(code.revision() === revision ? result : null));
    if (!send({ type: "lsp", message: { id, method, params } })) { waiting.delete(id); done(null); }
  });
}

on("welcome", () => {
  for (const done of waiting.values()) done(null);
  waiting.clear();
});

on("lsp", ({ author, edit, message }) => {
  if (message.method) {
    const { edits, isPending } = state();
    // What is said about an older text would be marked at wrong places; the server says it again.
    if (author === me ? edit === edits : !isPending) publish(message.params);
    return;
  }
  waiting.get(message.id)?.(message.result ?? null);
  waiting.delete(message.id);
});

let published = null;

async function publish(params) {
  published = params;
  uri = params.uri;
  findings = params.diagnostics.map((diagnostic) => ({
    ...diagnostic, start: code.offset(diagnostic.range.start), end: code.offset(diagnostic.range.end), fixes: [],
  }));
  tell();
  if (!findings.length) return;
  const range = { start: { line: 0, character: 0 }, end: code.position(code.plain().length) };
  const own = findings, revision = code.revision();
  const actions = await ask("textDocument/codeAction", { range, context: { diagnostics: [] } });
  if (own !== findings || !actions) return;
  for (const { title, edit, diagnostics } of actions) {
    // A fix of other files is one for an editor that has them open.
    const files = Object.keys(edit.changes);
    if (files.length !== 1 || files[0] !== uri) continue;
    const finding = findings.find(({ message, range: place }) => diagnostics.some((other) =>
      other.message === message && JSON.stringify(other.range) === JSON.stringify(place)));
    finding?.fixes.push({ title, apply: () => {
      close();
      area.focus();
      // After another change the places are others; the server is asked again then.
      if (code.revision() === revision) code.edit(edit.changes[uri]);
    } });
  }
  tell();
}

// Other bundles may have other fixes, also if the findings are the same.
on("bundles", () => { if (published) publish(published); });

function tell() {
  code.mark(findings.map(({ start, end, severity }) => ({ start, end, severity })));
  for (const listener of listeners) listener();
}

// ---- What floats beside the text

/** Puts an element below a place, or above it if there is more room. */
function place(element, { left, top, bottom }) {
  element.hidden = false;
  const { width, height } = element.getBoundingClientRect();
  const isBelow = bottom + height + 8 <= innerHeight || top < innerHeight - bottom;
  element.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  element.style.top = `${Math.max(8, isBelow ? bottom + 4 : top - height - 4)}px`;
}

/** Closes what floats. */
export function close() {
  tip.hidden = menu.hidden = true;
  closeList();
}

// What floats has its place on the screen: the list of suggestions follows the text, the others are closed.
addEventListener("scroll", (event) => {
  if (!event.target.contains(area)) return;
  tip.hidden = menu.hidden = true;
  if (!list.hidden) placeList();
}, true);
addEventListener("resize", close);

// ---- Completion

let items = [], chosen = 0;

function closeList() {
  list.hidden = true;
  items = [];
  area.removeAttribute("aria-activedescendant");
}

const placeList = () =>
  place(list, code.rect(code.offset(items[0].textEdit.range.start)) ?? area.getBoundingClientRect());

/** The text between the start of what an item replaces and the cursor, without quotation marks. */
const typed = (item, at) => code.plain().slice(code.offset(item.textEdit.range.start), at).replace(/^"/, "").toLowerCase();

function score(item, at) {
  const label = item.label.toLowerCase(), word = typed(item, at);
  if (label.startsWith(word)) return 3;
  if (label.includes(word)) return 2;
  let from = 0;
  for (const letter of word) {
    from = label.indexOf(letter, from) + 1;
    if (from === 0) return 0;
  }
  return 1;
}

async function complete(isAsked) {
  const at = code.selection().end;
  const found = await ask("textDocument/completion", { position: code.position(at) });
  if (document.activeElement !== area || code.selection().end !== at) return;
  items = (Array.isArray(found) ? found : []).map((item) => ({ item, score: score(item, at) }))
    .filter((entry) => entry.score > 0).sort((one, other) => other.score - one.score).map(({ item }) => item);
  if (!items.length) {
    closeList();
    if (isAsked) $("said").textContent = "No suggestions here.";
    return;
  }
  tip.hidden = menu.hidden = true;
  list.replaceChildren(...items.map((item, index) => {
    const about = (item.documentation?.value ?? item.detail ?? "").split("\n")[0];
    const option = make("li", { id: `completion-${index}`, role: "option" },
      make("b", {}, item.label), make("span", {}, plainText(about)));
    option.onpointerdown = (event) => { event.preventDefault(); accept(index); };
    return option;
  }));
  choose(0);
  placeList();
  list.scrollTop = 0;
  $("said").textContent = `${items.length} suggestions`;
}

function choose(index) {
  chosen = (index + items.length) % items.length;
  for (const [number, option] of [...list.children].entries()) option.setAttribute("aria-selected", String(number === chosen));
  list.children[chosen].scrollIntoView({ block: "nearest" });
  area.setAttribute("aria-activedescendant", `completion-${chosen}`);
}

/** Puts an item into the text; its first placeholder is selected. */
function accept(index) {
  const { textEdit, insertTextFormat } = items[index];
  const at = code.selection().end, start = code.offset(textEdit.range.start);
  const end = Math.max(at, code.offset(textEdit.range.end));
  let inserted = textEdit.newText, selected;
  if (insertTextFormat === 2) {
    inserted = "";
    let from = 0;
    for (const match of textEdit.newText.matchAll(/\$\{\d\|([^,|]*)[^}]*\}|\$\{\d:([^}]*)\}|\$\d|\\([\\$}])/g)) {
      inserted += textEdit.newText.slice(from, match.index);
      from = match.index + match[0].length;
      const value = match[1] ?? match[2] ?? match[3] ?? "";
      if (!selected && match[3] === undefined) selected = { start: start + inserted.length, end: start + inserted.length + value.length };
      inserted += value;
    }
    inserted += textEdit.newText.slice(from);
  }
  selected ??= { start: start + inserted.length, end: start + inserted.length };
  closeList();
  const now = code.plain().slice(0, start) + inserted + code.plain().slice(end);
  if (now === code.plain()) code.select(selected.start, selected.end); else code.change(now, "", selected);
}

area.addEventListener("keydown", (event) => {
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && event.code === "Space") complete(true);
  else if (isCommand && event.key === ".") openFixes();
  else if (isCommand && event.key.toLowerCase() === "i" && !event.shiftKey && !event.altKey) explain(code.selection().end, true);
  else if (event.key === "Escape" && !(list.hidden && tip.hidden)) close();
  else if (list.hidden) return;
  else if (event.key === "ArrowDown") choose(chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen - 1);
  else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && !isCommand) accept(chosen);
  else return;
  event.preventDefault();
});

area.addEventListener("input", (event) => {
  tip.hidden = true;
  const before = code.plain()[code.selection().end - 1];
  if (event.inputType === "insertText" && (before === '"' || !list.hidden && before !== "\n") && !event.isComposing) complete(false);
  else if (event.inputType?.startsWith("delete") && !list.hidden) complete(false);
  else closeList();
});
area.addEventListener("blur", () => { closeList(); if (!tip.matches(":hover")) tip.hidden = true; });
area.addEventListener("pointerdown", close);

// ---- Documentation

const plainText = (markdown) => markdown.replaceAll(/`([^`]*)`/g, "$1");

/** Markdown as the server writes it: paragraphs, lists, and code in them. */
function markdown(source) {
  return source.split("\n\n").filter(Boolean).map((block) => {
    const inline = (line) => line.split("`").map((part, index) => index % 2 ? make("code", {}, part) : part);
    if (block.startsWith("- ")) return make("ul", {}, ...block.split("\n").map((line) => make("li", {}, ...inline(line.slice(2)))));
    return make("p", {}, ...inline(block));
  });
}

/** Says what is known about a place: the findings there with their fixes, and the documentation. */
async function explain(at, isAsked) {
  const answer = await ask("textDocument/hover", { position: code.position(at) });
  const found = findings.filter(({ start, end }) => start <= at && at <= Math.max(end, start + 1));
  const content = [...found.map(message), ...markdown(answer?.contents?.value ?? "")];
  if (!content.length) {
    tip.hidden = true;
    if (isAsked) $("said").textContent = "Nothing is known about this place.";
    return;
  }
  tip.replaceChildren(...content);
  place(tip, code.rect(found[0]?.start ?? (answer.range ? code.offset(answer.range.start) : at)) ?? area.getBoundingClientRect());
  if (isAsked) $("said").textContent = tip.textContent;
}

const names = ["", "error", "warning", "note"];

function message(finding) {
  const text = make("p", { className: `finding s${finding.severity}` }, make("b", {}, names[finding.severity]), ` ${finding.message}`);
  return make("div", {}, text, ...finding.fixes.map((fix) =>
    make("button", { type: "button", className: "fix", textContent: fix.title, onclick: fix.apply })));
}

let rest, leaving;
area.addEventListener("pointermove", (event) => {
  clearTimeout(rest);
  clearTimeout(leaving);
  if (event.pointerType !== "mouse" || event.buttons || !list.hidden || !menu.hidden) return;
  const at = code.tokenAt(event.clientX, event.clientY);
  if (at === undefined) { leave(); return; }
  rest = setTimeout(() => explain(at, false), 350);
});
const leave = () => { clearTimeout(rest); leaving = setTimeout(() => { if (!tip.matches(":hover")) tip.hidden = true; }, 300); };
area.addEventListener("pointerleave", leave);
tip.addEventListener("pointerleave", leave);
tip.addEventListener("pointerenter", () => { clearTimeout(leaving); clearTimeout(rest); });

// ---- Quick fixes

/** Opens the fixes of the findings at the cursor, or else in its line, or in a given one. */
function openFixes(line) {
  const at = code.selection().end, number = line ?? code.position(at).line;
  const inLine = findings.filter(({ range }) => range.start.line <= number && number <= range.end.line);
  const here = inLine.filter(({ start, end }) => line === undefined && start <= at && at <= end);
  const found = here.length ? here : inLine;
  const fixes = found.flatMap((finding) => finding.fixes);
  close();
  if (!fixes.length) {
    if (!found.length) $("said").textContent = "No finding in this line.";
    else {
      if (line !== undefined) code.select(found[0].start, found[0].end);
      tip.replaceChildren(...found.map(message));
      place(tip, code.rect(found[0].start) ?? area.getBoundingClientRect());
      $("said").textContent = `No quick fix. ${found.map((finding) => finding.message).join(". ")}`;
    }
    return;
  }
  const choices = make("div", { role: "menu", ariaLabel: "Quick fixes" }, ...fixes.map((fix) =>
    make("button", { type: "button", role: "menuitem", textContent: fix.title, onclick: fix.apply })));
  menu.replaceChildren(...found.map((finding) => make("p", { className: `finding s${finding.severity}` }, finding.message)), choices);
  place(menu, code.rect(found[0].start) ?? area.getBoundingClientRect());
  menu.querySelector("button").focus();
}

menu.addEventListener("keydown", (event) => {
  const buttons = [...menu.querySelectorAll("button")], index = buttons.indexOf(document.activeElement);
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
  if (next !== undefined) buttons.at(next % buttons.length).focus();
  else if (event.key === "Escape" || event.key === "Tab") { close(); area.focus(); }
  else return;
  event.preventDefault();
});
menu.addEventListener("focusout", (event) => { if (!menu.contains(event.relatedTarget)) menu.hidden = true; });
$("lines").addEventListener("sign", (event) => openFixes(event.detail));
