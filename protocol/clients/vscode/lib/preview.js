/** The notification beside its payload, as a phone shows it; it follows what is typed. */

"use strict";

const vscode = require("vscode");

class Preview {
  #start;
  #host;
  #panel;
  #uri;
  /** The shown notification, and whether another state of the text waits to be shown. */
  #shown;
  #isBusy = false;
  #isStale = false;

  /** `start` starts a host. */
  constructor(start) {
    this.#start = start;
  }

  /** Shows the payload of a document. */
  async show(uri) {
    this.#uri = uri;
    if (!this.#panel) {
      const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      // The page has no scripts, and its own policy forbids it to load anything.
      this.#panel = vscode.window.createWebviewPanel("pushhost", "Notification", where, { enableScripts: false });
      this.#panel.onDidDispose(() => (this.#panel = undefined));
    }
    this.#panel.reveal(undefined, true);
    await this.#update();
  }

  /** Shows a document again that has changed, if it is the one that is shown. */
  follow(document) {
    if (this.#panel && document.uri.toString() === this.#uri.toString()) this.#update();
  }

  /** Shows the newest text, one state after the other; those between are left out. */
  async #update() {
    this.#isStale = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      while (this.#isStale && this.#panel) {
        this.#isStale = false;
        await this.#draw();
      }
    } catch (error) {
      vscode.window.showErrorMessage(error.message);
    } finally {
      this.#isBusy = false;
    }
  }

  async #draw() {
    const document = await vscode.workspace.openTextDocument(this.#uri);
    let payload;
    try {
      payload = JSON.parse(document.getText());
    } catch {
      // The mistake is marked in the text, and the last picture stays.
      return;
    }
    this.#host ??= this.#start();
    const host = await this.#host;
    const before = this.#shown;
    const { notification } = await host.didReceive({ payload });
    this.#shown = notification;
    const { text } = await host.render({ notification, format: "html" });
    if (this.#panel) this.#panel.webview.html = text;
    // It may have ended, or be the same presentation.
    if (before) await host.dismiss({ notification: before }).catch(() => {});
  }

  async dispose() {
    this.#panel?.dispose();
    const host = await this.#host?.catch(() => undefined);
    await host?.close();
  }
}

module.exports = { Preview };
