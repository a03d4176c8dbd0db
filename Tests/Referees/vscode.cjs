// Stands for the module `vscode`: documents with edits and events, and what an extension registers and shows.
"use strict";

const { readFileSync, writeFileSync, readdirSync } = require("node:fs");
const { join } = require("node:path");

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}

class Range {
  constructor(start, end) { Object.assign(this, { start, end }); }
}

/** A class whose values have the arguments of `new` as members. */
const record = (...names) => class {
  constructor(...values) { names.forEach((name, index) => (this[name] = values[index])); }
};

class Uri {
  constructor(scheme, path, text) { Object.assign(this, { scheme, path, fsPath: path, text }); }
  static parse(text) {
    const [, scheme, rest] = /^([a-z]+):(?:\/\/)?(.*)$/.exec(text);
    return new Uri(scheme, decodeURIComponent(rest), scheme === "http" ? text : undefined);
  }
  static file(path) { return new Uri("file", path); }
  toString() {
    return this.text ?? `${this.scheme}:${this.scheme === "file" ? "//" : ""}${this.path.split("/").map(encodeURIComponent).join("/")}`;
  }
}

class EventEmitter {
  #listeners = new Set();
  event = (listener) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(value) { for (const each of this.#listeners) each(value); }
}

class Document {
  version = 1;
  #before = [];
  constructor(uri, text) { Object.assign(this, { uri, text, languageId: uri.path.endsWith(".apns") ? "apns" : "xml" }); }
  getText() { return this.text; }
  positionAt(offset) {
    const lines = this.text.slice(0, offset).split("\n");
    return new Position(lines.length - 1, lines.at(-1).length);
  }
  offsetAt({ line, character }) {
    const lines = this.text.split("\n");
    return lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
  }
  edit(edits) {
    this.#before.push(this.text);
    // As the editor does: from the end, so that the places of the others stay.
    const sorted = [...edits].sort((one, other) => this.offsetAt(other.range.start) - this.offsetAt(one.range.start));
    for (const { range, newText } of sorted) {
      const [start, end] = [this.offsetAt(range.start), this.offsetAt(range.end)];
      this.text = this.text.slice(0, start) + newText + this.text.slice(end);
    }
    this.version += 1;
    const contentChanges = sorted.map(({ range, newText }) => ({ range, text: newText }));
    events.change.fire({ document: this, contentChanges });
  }
  undo() {
    const whole = new Range(new Position(0, 0), this.positionAt(this.text.length));
    this.edit([{ range: whole, newText: this.#before.pop() }]);
    this.#before.pop();
  }
  save() {
    writeFileSync(this.uri.fsPath, this.text);
    events.save.fire(this);
  }
}

const events = Object.fromEntries(
  ["open", "change", "save", "close", "configuration", "folders", "watch"].map((name) => [name, new EventEmitter()]),
);
/** What the extension registered and showed, for the driver. */
const seen = { providers: {}, commands: {}, contents: {}, panels: [], opened: [], errors: [], marks: new Map() };
const settings = { program: process.env.PUSHHOST, plugins: [], locale: null };
const folders = [{ uri: Uri.file(process.env.FOLDER), name: "editor" }];
const disposable = { dispose() {} };
const provide = (name) => (selector, provider) => {
  seen.providers[name] = provider;
  return disposable;
};

class WorkspaceEdit {
  changes = [];
  set(uri, edits) { this.changes.push([uri, edits]); }
}

module.exports = {
  Position, Range, Uri, EventEmitter, WorkspaceEdit, seen,
  Location: record("uri", "range"), TextEdit: record("range", "newText"), MarkdownString: record("value"),
  Diagnostic: record("range", "message", "severity"), DiagnosticRelatedInformation: record("location", "message"),
  CompletionItem: record("label", "kind"), SnippetString: record("value"), CodeAction: record("title", "kind"),
  DocumentSymbol: record("name", "detail", "kind", "range", "selectionRange"), CodeLens: record("range", "command"),
  InlayHint: record("position", "label"), Hover: record("contents", "range"), FoldingRange: record("start", "end"),
  CodeActionKind: { QuickFix: "quickfix" }, ProgressLocation: { Notification: 15 }, ViewColumn: { Beside: -2 },
  languages: {
    createDiagnosticCollection: () => ({
      set: (uri, marks) => seen.marks.set(uri.toString(), marks), clear: () => seen.marks.clear(), ...disposable,
    }),
    match: (selector, { uri }) => (uri.scheme === "file" ? 10 : 0),
    registerCompletionItemProvider: provide("completion"), registerHoverProvider: provide("hover"),
    registerCodeActionsProvider: provide("actions"), registerDefinitionProvider: provide("definition"),
    registerReferenceProvider: provide("references"), registerRenameProvider: provide("rename"),
    registerDocumentFormattingEditProvider: provide("formatting"), registerDocumentSymbolProvider: provide("symbols"),
    registerFoldingRangeProvider: provide("folds"), registerCodeLensProvider: provide("lenses"),
    registerInlayHintsProvider: provide("hints"),
  },
  workspace: {
    textDocuments: [],
    workspaceFolders: folders,
    fs: { readFile: async (uri) => readFileSync(uri.fsPath) },
    getConfiguration: () => ({ get: (name) => settings[name] }),
    async findFiles() {
      return readdirSync(process.env.FOLDER, { recursive: true }).filter((name) => name.endsWith("Info.plist"))
        .map((name) => Uri.file(join(process.env.FOLDER, name)));
    },
    createFileSystemWatcher: () => ({
      onDidCreate: events.watch.event, onDidChange: events.watch.event, onDidDelete: events.watch.event, ...disposable,
    }),
    async openTextDocument(uri) {
      const open = this.textDocuments.find((each) => each.uri.toString() === uri.toString());
      if (open) return open;
      const provider = seen.contents[uri.scheme];
      const text = provider ? provider.provideTextDocumentContent(uri) : readFileSync(uri.fsPath, "utf8");
      const document = new Document(uri, text);
      if (!provider) this.textDocuments.push(document);
      events.open.fire(document);
      return document;
    },
    async applyEdit({ changes }) {
      for (const [uri, edits] of changes) (await this.openTextDocument(uri)).edit(edits);
    },
    close(document) {
      this.textDocuments = this.textDocuments.filter((each) => each !== document);
      events.close.fire(document);
    },
    onDidOpenTextDocument: events.open.event, onDidChangeTextDocument: events.change.event,
    onDidSaveTextDocument: events.save.event, onDidCloseTextDocument: events.close.event,
    onDidChangeConfiguration: events.configuration.event, onDidChangeWorkspaceFolders: events.folders.event,
    registerTextDocumentContentProvider(scheme, provider) {
      seen.contents[scheme] = provider;
      return disposable;
    },
  },
  commands: {
    registerCommand(name, act) {
      seen.commands[name] = act;
      return disposable;
    },
  },
  window: {
    activeTextEditor: undefined,
    createOutputChannel: () => ({ appendLine: (line) => console.log(`output: ${line}`), ...disposable }),
    showErrorMessage: (text) => seen.errors.push(text),
    withProgress: (options, act) => act({}, { onCancellationRequested: () => disposable }),
    async showTextDocument(document) { seen.shown = document; },
    createWebviewPanel(type, title, where, options) {
      const panel = { webview: { html: "" }, options, reveal() {}, onDidDispose: () => disposable, ...disposable };
      seen.panels.push(panel);
      return panel;
    },
  },
  env: {
    asExternalUri: async (uri) => uri,
    openExternal: async (uri) => seen.opened.push(uri.toString()),
  },
};
