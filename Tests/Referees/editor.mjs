// Does the steps of editor-steps.json in the extension for VS Code, with a stub of the module `vscode`: see editors.py.
//
//     node Tests/Referees/editor.mjs EXTENSION    the unpacked extension

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Module, createRequire } from "node:module";
import { relative, resolve } from "node:path";

const require = createRequire(import.meta.url);
const stub = require.resolve("./vscode.cjs");
const find = Module._resolveFilename;
Module._resolveFilename = (name, ...more) => (name === "vscode" ? stub : find(name, ...more));

const vscode = require(stub);
const { seen, workspace } = vscode;
const { providers, commands } = seen;
const extension = require(resolve(process.argv[2], "extension.js"));
const context = { subscriptions: [] };
await extension.activate(context);

let document;
const file = (name) => vscode.Uri.file(`${process.env.FOLDER}/${name}`);

/** The place in the text that a step names, or behind it. */
function place(step) {
  const text = step.at ?? step.after;
  const found = document.text.indexOf(text);
  assert(found >= 0, `${text} is not in the text`);
  return document.positionAt(step.at ? found + 1 : found + text.length);
}

const names = (places) => [...new Set(places.map(({ uri }) => relative(process.env.FOLDER, uri.fsPath)))].sort();
const nested = (symbols) => symbols.flatMap(({ name, children }) => [name, ...nested(children)]);
const everything = () => new vscode.Range(new vscode.Position(0, 0), document.positionAt(document.text.length));

const steps = {
  async open({ file: name }) {
    document = await workspace.openTextDocument(file(name));
    vscode.window.activeTextEditor = { document };
  },
  marks() {
    const marks = seen.marks.get(document.uri.toString()) ?? [];
    const text = ({ range }) => document.text.slice(document.offsetAt(range.start), document.offsetAt(range.end));
    return marks.map((mark) => `${mark.code.value ?? mark.code}: ${text(mark)}`).sort();
  },
  replace({ text, with: newText }) {
    const start = document.text.indexOf(text);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
    document.edit([{ range, newText }]);
  },
  async hover(step) {
    return (await providers.hover.provideHover(document, place(step))).contents.value;
  },
  async complete(step) {
    return (await providers.completion.provideCompletionItems(document, place(step))).map(({ label }) => label);
  },
  async accept(step) {
    const items = await providers.completion.provideCompletionItems(document, place(step));
    const { range, insertText } = items.find(({ label }) => label === step.label);
    // A snippet with its placeholders as they stand.
    const newText = (insertText.value ?? insertText).replace(/\$\{\d:([^}]*)\}|\$\d/g, (_, text) => text ?? "");
    document.edit([{ range, newText }]);
  },
  async fix(step) {
    const range = new vscode.Range(place(step), place(step));
    const actions = await providers.actions.provideCodeActions(document, range, {});
    await workspace.applyEdit(actions.find(({ title }) => title === step.title).edit);
  },
  async text({ file: name }) {
    return (name ? await workspace.openTextDocument(file(name)) : document).text;
  },
  undo: () => document.undo(),
  async lenses() {
    return (await providers.lenses.provideCodeLenses(document)).map(({ command }) => command.title);
  },
  async execute({ command, member }) {
    if (command === "pushhost.preview") {
      await commands["pushhost.preview"]();
      assert.match(seen.panels[0].webview.html, /A title/);
      assert.equal(seen.panels[0].options.enableScripts, false);
      await commands["pushhost.browse"]();
      return seen.opened[0];
    }
    const lens = (await providers.lenses.provideCodeLenses(document)).find((each) => each.command.command === command);
    await commands[command](...lens.command.arguments);
    assert.deepEqual(seen.errors, []);
    if (command === "pushhost.record") return seen.shown.toString();
    assert.equal(seen.shown.uri.scheme, "pushhost");
    const { text } = seen.shown;
    return member === "passed" ? String(/: 0 errors, 0 warnings|^same /m.test(text)) : text;
  },
  async hints() {
    return (await providers.hints.provideInlayHints(document, everything())).map(({ label }) => label);
  },
  definition: async (step) => names(await providers.definition.provideDefinition(document, place(step))),
  references: async (step) =>
    names(await providers.references.provideReferences(document, place(step), { includeDeclaration: true })),
  async rename(step) {
    await providers.rename.prepareRename(document, place(step));
    await workspace.applyEdit(await providers.rename.provideRenameEdits(document, place(step), step.to));
  },
  save: () => workspace.textDocuments.forEach((each) => each.save()),
  async format() {
    const options = { tabSize: 2, insertSpaces: true };
    document.edit(await providers.formatting.provideDocumentFormattingEdits(document, options));
  },
  async outline() {
    return nested(await providers.symbols.provideDocumentSymbols(document));
  },
  async folds() {
    return (await providers.folds.provideFoldingRanges(document, {})).map(({ start, end }) => `${start}-${end}`);
  },
  close: () => workspace.close(document),
};

const isExpected = (step, value) =>
  "contains" in step ? value.includes(step.contains) : !("expect" in step) || isSame(value, step.expect);
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

for (const [index, step] of JSON.parse(readFileSync(process.env.STEPS, "utf8")).entries()) {
  const end = Date.now() + 30_000;
  let value = await steps[step.do](step);
  // Marks come when the server has checked the text; every other value is in an answer.
  while (!isExpected(step, value)) {
    assert(step.do === "marks" && Date.now() < end, `step ${index + 1}: ${JSON.stringify(step)} has ${JSON.stringify(value)}`);
    await new Promise((resume) => setTimeout(resume, 10));
    value = await steps[step.do](step);
  }
  console.log("ok", index + 1, step.do);
}
await extension.deactivate();
for (const each of context.subscriptions) each.dispose();
