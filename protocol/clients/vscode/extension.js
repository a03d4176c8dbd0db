/** The extension: starts the language server, keeps its documents, and runs its commands. */

"use strict";

const { dirname } = require("node:path");
const vscode = require("vscode");
const language = require("./lib/language.js");
const { Preview } = require("./lib/preview.js");

/** The documents that the server reads; it decides itself what it says about each. */
const SELECTOR = [
  { scheme: "file", language: "apns" },
  { scheme: "file", pattern: "**/*.{apns,apns.json,jsonl,entitlements,strings}" },
  { scheme: "file", pattern: "**/Info.plist" },
];

/** What the server is told when it changes on disk. */
const WATCHED = "**/{*.apns,*.apns.json,Info.plist,*.entitlements,*.lproj/*,*.xcstrings}";

let client;

/** Called by the editor when the extension is first needed. */
async function activate(context) {
  client = await Client.start();
  context.subscriptions.push(client, ...client.register());
}

/** Called by the editor before it ends; resolves when the server is gone. */
async function deactivate() {
  await client?.stop();
}

/** A running `pushhost lsp`, through the client for Node: one JSON message per line is enough for the server. */
class Client {
  #host;
  #results = new Results();
  #diagnostics = vscode.languages.createDiagnosticCollection("pushhost");
  #output = vscode.window.createOutputChannel("pushhost");
  #preview;
  #isStopping = false;

  static async start() {
    const { Host } = await import("pushhost");
    const settings = vscode.workspace.getConfiguration("pushhost");
    const client = new Client();
    const log = (line) => client.#output.appendLine(line);
    const program = settings.get("program");
    const plugins = settings.get("plugins").flatMap((folder) => ["--plugins", folder]);
    client.#host = await Host.start({ program, arguments: ["lsp", ...plugins], log });
    client.#preview = new Preview(async () => {
      const folders = settings.get("plugins").length > 0 ? settings.get("plugins") : await bundles();
      return Host.start({ program, plugins: folders, arguments: ["--ephemeral"], log });
    });
    await client.#initialize(settings);
    return client;
  }

  async #initialize(settings) {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(folder);
    await this.#host.call("initialize", {
      processId: process.pid,
      rootUri: folders[0]?.uri ?? null,
      workspaceFolders: folders,
      initializationOptions: { locale: settings.get("locale") },
      // The client answers no requests, so the server may make none: it neither registers nor shows anything itself.
      capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
    });
    this.#host.notify("initialized");
    this.#listen();
    for (const document of vscode.workspace.textDocuments) this.#open(document);
  }

  async #listen() {
    try {
      for await (const { topic, params } of this.#host.listen()) {
        if (topic === "textDocument/publishDiagnostics") {
          this.#diagnostics.set(vscode.Uri.parse(params.uri), params.diagnostics.map(language.diagnostic));
        }
      }
    } catch (error) {
      this.#output.appendLine(error.message);
    }
    this.#diagnostics.clear();
    if (!this.#isStopping) {
      vscode.window.showErrorMessage(`pushhost ended; its output says why. Reload the window to start it again.`);
    }
  }

  /** What the editor does with the server, from now on. */
  register() {
    const { workspace, commands } = vscode;
    const watcher = workspace.createFileSystemWatcher(WATCHED);
    const watch = (type) => (uri) => {
      this.#notify("workspace/didChangeWatchedFiles", { changes: [{ uri: uri.toString(), type }] });
    };
    return [
      workspace.onDidOpenTextDocument((document) => this.#open(document)),
      workspace.onDidChangeTextDocument((event) => this.#change(event)),
      workspace.onDidSaveTextDocument((document) => this.#about("textDocument/didSave", document)),
      workspace.onDidCloseTextDocument((document) => this.#about("textDocument/didClose", document)),
      workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration("pushhost.locale")) return;
        const locale = workspace.getConfiguration("pushhost").get("locale");
        this.#notify("workspace/didChangeConfiguration", { settings: { pushhost: { locale } } });
      }),
      workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const event = { added: added.map(folder), removed: removed.map(folder) };
        this.#notify("workspace/didChangeWorkspaceFolders", { event });
      }),
      watcher,
      watcher.onDidCreate(watch(1)),
      watcher.onDidChange(watch(2)),
      watcher.onDidDelete(watch(3)),
      workspace.registerTextDocumentContentProvider("pushhost", this.#results),
      ...language.register(SELECTOR, (method, params, token) => this.#ask(method, params, token)),
      ...["push", "replay", "check"].map((name) =>
        commands.registerCommand(`pushhost.${name}`, (uri) => this.#report(name, target(uri))),
      ),
      commands.registerCommand("pushhost.preview", (uri) => this.#preview.show(target(uri))),
      commands.registerCommand("pushhost.browse", (uri) => this.#browse(target(uri))),
      commands.registerCommand("pushhost.record", async (uri) => {
        const result = await this.#execute("record", target(uri));
        if (result) await vscode.window.showTextDocument(vscode.Uri.parse(result.uri));
      }),
      this.#diagnostics,
      this.#output,
      this.#preview,
    ];
  }

  // Documents

  #open(document) {
    if (vscode.languages.match(SELECTOR, document) === 0) return;
    const { languageId, version } = document;
    const textDocument = { uri: document.uri.toString(), languageId, version, text: document.getText() };
    this.#notify("textDocument/didOpen", { textDocument });
  }

  #change({ document, contentChanges }) {
    if (vscode.languages.match(SELECTOR, document) === 0 || contentChanges.length === 0) return;
    this.#notify("textDocument/didChange", {
      textDocument: { uri: document.uri.toString(), version: document.version },
      contentChanges: contentChanges.map(({ range, text }) => ({ range: language.toRange(range), text })),
    });
    this.#preview.follow(document);
  }

  #about(method, document) {
    if (vscode.languages.match(SELECTOR, document) === 0) return;
    this.#notify(method, { textDocument: { uri: document.uri.toString() } });
  }

  // Messages

  #notify(method, params) {
    try {
      this.#host.notify(method, params);
    } catch (error) {
      // The server has ended, which is told where it is noticed, or the text has half of a surrogate pair.
      this.#output.appendLine(`${method}: ${error.message}`);
    }
  }

  /** The result of a request, which the editor may cancel. */
  async #ask(method, params, token) {
    const abort = new AbortController();
    const listener = token?.onCancellationRequested(() => abort.abort());
    try {
      return await this.#host.call(method, params, { signal: abort.signal });
    } finally {
      listener?.dispose();
    }
  }

  // Commands

  /** Runs a command of the server; undefined if it failed, which the editor shows. */
  async #execute(name, uri) {
    const options = { location: vscode.ProgressLocation.Notification, title: `pushhost ${name}`, cancellable: true };
    try {
      return await vscode.window.withProgress(options, (_, token) => {
        const params = { command: `pushhost.${name}`, arguments: [uri.toString(), { show: false }] };
        return this.#ask("workspace/executeCommand", params, token);
      });
    } catch (error) {
      if (error.name !== "AbortError") vscode.window.showErrorMessage(error.message);
      return undefined;
    }
  }

  /** Shows the text of a result in a document that is only read. */
  async #report(name, uri) {
    const result = await this.#execute(name, uri);
    if (!result) return;
    const shown = this.#results.set(name, uri, result.text);
    const document = await vscode.workspace.openTextDocument(shown);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }

  async #browse(uri) {
    const result = await this.#execute("preview", uri);
    if (result) await vscode.env.openExternal(await vscode.env.asExternalUri(vscode.Uri.parse(result.address)));
  }

  // The end

  async stop() {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#preview.dispose();
    try {
      await this.#host.call("shutdown", undefined, { deadline: 5_000 });
      this.#host.notify("exit");
    } catch (error) {
      this.#output.appendLine(error.message);
    }
    await this.#host.close();
  }

  dispose() {
    this.stop();
  }
}

/** The texts of results, each at an address of its own. */
class Results {
  #texts = new Map();
  #changed = new vscode.EventEmitter();
  onDidChange = this.#changed.event;

  set(name, uri, text) {
    const shown = vscode.Uri.parse(`pushhost:${uri.path} (${name}).txt`);
    this.#texts.set(shown.toString(), text);
    this.#changed.fire(shown);
    return shown;
  }

  provideTextDocumentContent(uri) {
    return this.#texts.get(uri.toString());
  }
}

/** The document that a command is about: a lens names it, otherwise it is the one that is edited. */
function target(uri) {
  const found = typeof uri === "string" ? vscode.Uri.parse(uri) : (uri ?? vscode.window.activeTextEditor?.document.uri);
  if (!found) throw new Error("open a payload first");
  return found;
}

/** The folders of the bundles in the workspace. */
async function bundles() {
  const plists = await vscode.workspace.findFiles("**/Info.plist", "**/{node_modules,.build}/**");
  const contents = await Promise.all(plists.map((uri) => vscode.workspace.fs.readFile(uri)));
  const found = plists.filter((_, index) => Buffer.from(contents[index]).includes("NSExtension"));
  return found.map((uri) => dirname(uri.fsPath));
}

function folder({ uri, name }) {
  return { uri: uri.toString(), name };
}

module.exports = { activate, deactivate };
