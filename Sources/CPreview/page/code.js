/**
 * The editor of JSON: a text field that shows nothing, and behind it the same lines with colours, marks and numbers.
 *
 * The field keeps what browsers do well: input methods, selection, dictation, screen readers. What it cannot do is done with
 * its text: a folded part is one character of the field, and the history also has the changes of the form.
 */

import { $, make } from "./page.js";
import { folds as foldable, tokens } from "./json.js";

const FOLDED = "⋯";
/** Changes of one kind, each within this time after the one before, are undone together; in milliseconds. */
const PAUSE = 1000;
/** How many characters the history keeps at most. */
const HISTORY = 8e6;

const area = $("json"), sheet = $("lines");
let doc = "", folded = [], marks = [], view = "", shown = [], ends = "\n";
let past = [], future = [], last = { kind: "", time: 0 };
let changes = 0;
const listeners = [];

/** Adds what is called after each change of the text; `isOwn` says that a person made it here. */
export const onChange = (listener) => listeners.push(listener);

/** The text as the file has it, and with plain line ends, as places count. */
export const text = () => ends === "\n" ? doc : doc.replaceAll("\n", ends);
export const plain = () => doc;
/** Grows with each change of the text. */
export const revision = () => changes;

// ---- Places: of the text, which has all characters, and of the view, in which a folded part is one

function toView(offset) {
  let hidden = 0;
  for (const { start, end } of folded) {
    if (offset <= start) break;
    if (offset < end) return start - hidden;
    hidden += end - start - FOLDED.length;
  }
  return offset - hidden;
}

function toText(offset) {
  for (const { start, end } of folded) {
    if (offset <= start) break;
    offset += end - start - FOLDED.length;
    if (offset < end) return end;
  }
  return offset;
}

const starts = (string) => {
  const found = [0];
  for (let at = string.indexOf("\n"); at >= 0; at = string.indexOf("\n", at + 1)) found.push(at + 1);
  return found;
};

/** The last index whose value is at most a number. */
function search(sorted, value) {
  let low = 0, high = sorted.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle; else high = middle;
  }
  return low;
}

/** The offset of a position of the Language Server Protocol. */
export function offset({ line, character }) {
  const lines = starts(doc);
  if (line >= lines.length) return doc.length;
  return Math.min(lines[line] + character, (lines[line + 1] ?? doc.length + 1) - 1);
}

/** The position of an offset. */
export function position(at) {
  const lines = starts(doc), line = search(lines, at);
  return { line, character: at - lines[line] };
}

/** What is selected, as offsets. */
export const selection = () => ({ start: toText(area.selectionStart), end: toText(area.selectionEnd) });

/** Selects a part, which is unfolded, and shows it. */
export function select(start, end = start) {
  unfold(start, end);
  area.focus({ preventScroll: true });
  area.setSelectionRange(toView(start), toView(end));
  rect(start)?.line.scrollIntoView({ block: "nearest" });
}

/** Where a character is on the screen, and its line. */
export function rect(at) {
  const lines = starts(view), place = toView(at), line = shown[search(lines, place)]?.element;
  if (!line) return undefined;
  let column = place - lines[search(lines, place)];
  const range = document.createRange(), nodes = document.createTreeWalker(line.lastChild, NodeFilter.SHOW_TEXT);
  range.selectNodeContents(line.lastChild);
  range.collapse(true);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (column <= node.length) {
      range.setStart(node, column);
      range.collapse(true);
      break;
    }
    column -= node.length;
  }
  const box = range.getClientRects()[0] ?? line.lastChild.getBoundingClientRect();
  return { left: box.left, top: box.top, bottom: box.bottom, line };
}

/** The offset of the token below a point of the screen; undefined beside the text. */
export function tokenAt(x, y) {
  const span = document.elementsFromPoint(x, y).find((element) => element.parentElement?.parentElement?.parentElement === sheet);
  const number = shown.findIndex((line) => line.element === span?.parentElement.parentElement);
  if (number < 0 || span.parentElement.tagName !== "CODE") return undefined;
  let column = 0;
  for (let other = span.previousSibling; other; other = other.previousSibling) column += other.textContent.length;
  return toText(starts(view)[number] + column);
}

// ---- Lines

function render() {
  const lines = view.split("\n"), offsets = starts(view), whole = starts(doc);
  const brackets = foldable(doc.split("\n"));
  let head = 0, tail = 0;
  const most = Math.min(lines.length, shown.length);
  while (head < most && shown[head].text === lines[head]) head += 1;
  while (tail < most - head && shown.at(-1 - tail).text === lines.at(-1 - tail)) tail += 1;
  const removed = shown.slice(head, shown.length - tail);
  const added = lines.slice(head, lines.length - tail).map((line, index) =>
    removed[index] ?? { text: null, element: make("div", { className: "line" }, make("code")) });
  for (const line of removed.slice(added.length)) line.element.remove();
  const next = shown[shown.length - tail]?.element ?? null;
  for (const line of added.slice(removed.length)) sheet.insertBefore(line.element, next);
  shown = [...shown.slice(0, head), ...added, ...shown.slice(shown.length - tail)];
  const placed = marks.map((mark) => ({ ...mark, from: toView(mark.start), to: Math.max(toView(mark.end), toView(mark.start) + 1) }))
    .sort((one, other) => one.severity - other.severity);
  const byLine = new Map();
  for (const mark of placed) {
    const lastLine = search(offsets, mark.to - 1);
    for (let number = search(offsets, mark.from); number <= lastLine; number += 1) {
      const list = byLine.get(number) ?? [];
      list.push(mark);
      byLine.set(number, list);
    }
  }
  lines.forEach((line, index) => {
    const own = shown[index], number = search(whole, toText(offsets[index]));
    if (own.number !== number) own.element.dataset.number = (own.number = number) + 1;
    const found = (byLine.get(index) ?? []).map((mark) => ({
      severity: mark.severity, from: Math.max(0, mark.from - offsets[index]), to: mark.to - offsets[index],
    }));
    const key = JSON.stringify(found);
    if (own.text !== line || own.key !== key) {
      own.element.lastChild.replaceChildren(...spans(line, found));
      [own.text, own.key] = [line, key];
    }
    const isFolded = folded.some((fold) => fold.start >= whole[number] && fold.start <= endOfLine(whole, number));
    const fold = isFolded ? "closed" : brackets.has(number) ? "open" : "";
    const worst = found.length ? Math.min(...found.map((mark) => mark.severity)) : 0;
    if (own.fold === fold && own.worst === worst) return;
    [own.fold, own.worst] = [fold, worst];
    gutter(own);
  });
}

const endOfLine = (lines, number) => (lines[number + 1] ?? doc.length + 1) - 1;

/** The parts of a line, cut where a token or a mark begins or ends. */
function spans(line, found) {
  const result = [], cuts = found.flatMap((mark) => [mark.from, mark.to]);
  let start = 0;
  for (const { kind, end } of tokens(line)) {
    for (const cut of [...cuts.filter((place) => place > start && place < end).sort((a, b) => a - b), end]) {
      const mark = found.find(({ from, to }) => from <= start && cut <= to);
      const name = [kind, mark && `mark s${mark.severity}`].filter(Boolean).join(" ");
      result.push(make("span", { className: name, textContent: line.slice(start, cut) }));
      start = cut;
    }
  }
  // A mark at the end of a line has no character to be under.
  if (found.some(({ from }) => from >= line.length)) result.push(make("span", { className: `mark s${found[0].severity}`, textContent: "\u00a0" }));
  return result;
}

function gutter(line) {
  for (const button of line.element.querySelectorAll("button")) button.remove();
  const buttons = [];
  if (line.worst) {
    const name = line.worst === 1 ? "error" : line.worst === 2 ? "warning" : "note";
    const button = make("button", { type: "button", className: `sign s${line.worst}`, tabIndex: -1, title: `Show the ${name}` });
    button.onclick = () => sheet.dispatchEvent(new CustomEvent("sign", { detail: line.number }));
    buttons.push(button);
  }
  if (line.fold) {
    const button = make("button", { type: "button", className: `fold ${line.fold}`, tabIndex: -1 });
    button.title = line.fold === "open" ? "Fold" : "Unfold";
    button.onclick = () => { toggle(line.number); area.focus({ preventScroll: true }); };
    buttons.push(button);
  }
  line.element.prepend(...buttons);
}

/** Shows marks: parts of the text with a severity from 1, an error, to 3. */
export function mark(list) {
  marks = list;
  render();
}

// ---- Folds

function show() {
  view = folded.length ? "" : doc;
  let at = 0;
  for (const { start, end } of folded) {
    view += doc.slice(at, start) + FOLDED;
    at = end;
  }
  if (folded.length) view += doc.slice(at);
  if (area.value !== view) area.value = view;
  render();
}

/** Keeps what is selected while the folds change. */
function refold(change) {
  const { start, end } = selection();
  change();
  show();
  area.setSelectionRange(toView(start), toView(end));
}

/** Folds a line, or unfolds it. */
export function toggle(number) {
  const lines = starts(doc), end = endOfLine(lines, number);
  const old = folded.find((fold) => fold.start >= lines[number] && fold.start <= end);
  if (old) return refold(() => { folded = folded.filter((fold) => fold !== old); });
  const close = foldable(doc.split("\n")).get(number);
  if (close === undefined) return undefined;
  const stop = lines[close] + /^\s*/.exec(doc.slice(lines[close]))[0].length;
  return refold(() => {
    folded = [...folded.filter((fold) => fold.start < end || fold.end > stop), { start: end, end: stop }]
      .sort((one, other) => one.start - other.start);
  });
}

function unfold(start, end) {
  const isHidden = (fold) => fold.start < end && start < fold.end;
  if (folded.some(isHidden)) refold(() => { folded = folded.filter((fold) => !isHidden(fold)); });
}

/** Folds everything below the first level, or unfolds all. */
export function foldAll() {
  if (folded.length) return refold(() => { folded = []; });
  const found = [...foldable(doc.split("\n"))].filter(([start]) => start > 0).sort(([one], [other]) => other - one);
  for (const [start] of found) toggle(start);
  return undefined;
}

// ---- Changes

/** The part in which two texts differ. */
function difference(old, now) {
  let start = 0, oldEnd = old.length, end = now.length;
  while (start < oldEnd && start < end && old[start] === now[start]) start += 1;
  while (oldEnd > start && end > start && old[oldEnd - 1] === now[end - 1]) { oldEnd -= 1; end -= 1; }
  return { start, oldEnd, end };
}

/** Takes over a text; folds and marks move with it. */
function become(now) {
  const { start, oldEnd, end } = difference(doc, now), moved = end - oldEnd;
  const move = (part) => part.start >= oldEnd && part.start >= start ? { ...part, start: part.start + moved, end: part.end + moved }
    : part.end <= start ? part : undefined;
  folded = folded.map(move).filter(Boolean);
  marks = marks.map((part) => move(part) ?? { ...part, start: Math.min(part.start, start), end: Math.max(start, part.end + moved) });
  doc = now;
  changes += 1;
}

function remember(kind) {
  const time = Date.now(), isSame = kind !== "" && kind === last.kind && time - last.time < PAUSE;
  if (!isSame) past.push({ text: doc, ...selection() });
  last = { kind, time };
  future = [];
  let size = past.reduce((sum, entry) => sum + entry.text.length, 0);
  while (size > HISTORY && past.length > 1) size -= past.shift().text.length;
}

const changed = (isOwn) => { for (const listener of listeners) listener(isOwn); };

/**
 * Changes the text as one step of the history, and selects a part of it.
 *
 * Steps of the same kind that follow fast are one.
 */
export function change(now, kind = "", selected = undefined) {
  if (now === doc) return;
  remember(kind);
  const before = selection();
  become(now);
  show();
  if (selected) select(selected.start, selected.end);
  else area.setSelectionRange(toView(Math.min(before.start, doc.length)), toView(Math.min(before.end, doc.length)));
  changed(true);
}

/** Makes edits of the Language Server Protocol as one step, and selects what a placeholder in them stands for. */
export function edit(edits) {
  const parts = edits.map(({ range, newText }) => ({ start: offset(range.start), end: offset(range.end), newText }))
    .sort((one, other) => other.start - one.start);
  let now = doc, selected;
  for (const { start, end, newText } of parts) {
    now = now.slice(0, start) + newText + now.slice(end);
    selected = { start: start + newText.length, end: start + newText.length };
  }
  change(now, "", selected);
}

/** Shows a text of somebody else; that of another file has a history of its own. */
export function reset(now, isOther) {
  ends = now.includes("\r\n") ? "\r\n" : "\n";
  now = now.replaceAll(/\r\n?/g, "\n");
  if (isOther) [past, future, folded, marks] = [[], [], [], []];
  else if (now !== doc) remember("");
  last.kind = "";
  const before = selection();
  become(now);
  show();
  area.setSelectionRange(toView(Math.min(before.start, doc.length)), toView(Math.min(before.end, doc.length)));
  changed(false);
}

function step(from, to) {
  const entry = from.pop();
  if (!entry) return;
  to.push({ text: doc, ...selection() });
  last.kind = "";
  become(entry.text);
  show();
  if (document.activeElement === area) select(entry.start, entry.end);
  changed(true);
}

export const undo = () => step(past, future);
export const redo = () => step(future, past);
export const history = () => ({ canUndo: past.length > 0, canRedo: future.length > 0 });

/** Keeps the cursor in view: the field has no scroll bar of its own, so browsers do not scroll for it. */
document.addEventListener("selectionchange", () => {
  if (document.activeElement !== area) return;
  const place = rect(toText(area.selectionDirection === "backward" ? area.selectionStart : area.selectionEnd));
  const box = $("code").getBoundingClientRect();
  if (place && place.top < box.top) $("code").scrollTop -= box.top - place.top + 8;
  else if (place && place.bottom > box.bottom) $("code").scrollTop += place.bottom - box.bottom + 8;
});

area.addEventListener("input", () => {
  const now = area.value;
  if (now === view) return;
  const { start, oldEnd, end } = difference(view, now);
  const [from, to] = [toText(start), toText(oldEnd)], typed = now.slice(start, end);
  // A word at a time is undone, and what is pasted as a whole.
  const kind = typed.length > 1 ? "" : /\s/.test(typed) ? "space" : typed ? "type" : "delete";
  remember(kind === "space" && last.kind === "type" ? "type" : kind);
  if (kind === "space") last.kind = "space";
  become(doc.slice(0, from) + typed + doc.slice(to));
  show();
  // Not while an input method composes: the field has the text already.
  if (area.value !== now) area.setSelectionRange(toView(from + typed.length), toView(from + typed.length));
  changed(true);
});

const PAIRS = { '"': '"', "{": "}", "[": "]" };

/** Replaces what is selected as if it had been typed, and puts the cursor behind some of it. */
function type(inserted, cursor = inserted.length) {
  const { start, end } = selection();
  change(doc.slice(0, start) + inserted + doc.slice(end), inserted === "" ? "delete" : "type", { start: start + cursor, end: start + cursor });
}

/** What editors of code do while one types: pairs are closed, and a new line begins below the one before. */
area.addEventListener("beforeinput", (event) => {
  const { start, end } = selection(), [before, after] = [doc[start - 1] ?? "", doc[end] ?? ""];
  if (event.isComposing || start !== end) return undefined;
  if (event.inputType === "insertText" && event.data === after && Object.values(PAIRS).includes(after) && before !== "\\") {
    event.preventDefault();
    return select(start + 1);
  }
  // A word that is there already gets its quotation marks one by one.
  const isFree = /^[\s,}\]]?$/.test(after) && (event.data !== '"' || /^[\s{[:,]?$/.test(before));
  if (event.inputType === "insertText" && PAIRS[event.data] && isFree) {
    event.preventDefault();
    type(event.data + PAIRS[event.data], 1);
  } else if (event.inputType === "insertLineBreak") {
    event.preventDefault();
    const indent = /^[ \t]*/.exec(doc.slice(doc.lastIndexOf("\n", start - 1) + 1, start))[0];
    const isOpen = before === "{" || before === "[";
    const inner = `\n${indent}${isOpen ? "  " : ""}`;
    type(isOpen && after === PAIRS[before] ? `${inner}\n${indent}` : inner, inner.length);
  } else if (event.inputType === "deleteContentBackward" && PAIRS[before] === after && after) {
    event.preventDefault();
    change(doc.slice(0, start - 1) + doc.slice(start + 1), "delete", { start: start - 1, end: start - 1 });
  } else return undefined;
  return area.dispatchEvent(new InputEvent("input", { inputType: event.inputType, data: event.data }));
});

for (const name of ["copy", "cut"]) area.addEventListener(name, (event) => {
  const { start, end } = selection();
  if (!folded.length || start === end) return;
  event.preventDefault();
  event.clipboardData.setData("text/plain", doc.slice(start, end));
  if (name === "cut") change(doc.slice(0, start) + doc.slice(end), "", { start, end: start });
});

/** Undoes and redoes by the keys and menus of the browser, in the field and in what else shows the text. */
export function keepHistory(element) {
  element.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo(); else undo();
  });
  element.addEventListener("beforeinput", (event) => {
    if (!event.inputType.startsWith("history")) return;
    event.preventDefault();
    if (event.inputType === "historyRedo") redo(); else undo();
  });
}

area.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || !event.shiftKey || (event.code !== "BracketLeft" && event.code !== "BracketRight")) return;
  event.preventDefault();
  const lines = starts(doc), line = search(lines, selection().start);
  const isFolded = folded.some((fold) => fold.start >= lines[line] && fold.start <= endOfLine(lines, line));
  if (isFolded === (event.code === "BracketRight")) toggle(line);
});
