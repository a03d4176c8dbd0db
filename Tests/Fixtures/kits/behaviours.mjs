#!/usr/bin/env node
// An extension that uses every part of the kit, also incorrectly; each touch names the behaviour.

import { execFileSync, spawnSync } from "node:child_process";
import { writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { ExtensionError, NotificationContentExtension, View, main } from "./pushhost-extension.mjs";

console.log("a print while the module is loaded");

const ways = ["once", "twice", "later", "never", "refusedAfterwards", "nonsense", "linked", "linkedNowhere"];

class Behaviours extends NotificationContentExtension {
  static contractVersion = "1.2";

  didReceive(notification) {
    const { content } = notification.request;
    if (content.title === "offered") {
      this.context.notificationActions = this.context.notificationActions;
      return this.show(this.context.notificationActions.map((action) => action.identifier).join(" "));
    }
    if (content.title === "members") {
      const values = { ...content, ...notification.request, date: notification.date, userInfo: content.userInfo.json };
      return this.show(Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`).join("\n"));
    }
    if (content.title === "integer") return this.show(String(content.userInfo.integer("number", 1, 10)));
    this.show(content.title === "refuse" ? "refused" : "shown");
    if (content.title === "refuse") throw new ExtensionError("notToday", "not today");
    const textInput = { buttonTitle: "Send", placeholder: "Text" };
    this.context.notificationActions = ways.map((way) => ({
      identifier: way,
      title: way,
      options: new Set(["foreground"]),
      ...(way === "once" ? { textInput } : {}),
    }));
  }

  async interact(interaction) {
    await this[interaction.value]();
  }

  async didReceiveResponse(response, completion) {
    const way = response.actionIdentifier;
    this.show(response.userText === undefined ? way : `${way} ${response.userText}`);
    if (way.startsWith("linked")) this.context.applicationURL = "https://example.com/a?b=c";
    if (way === "linkedNowhere") completion("doNotDismiss");
    if (way === "once" || way === "linked") completion("dismissAndForwardAction");
    if (way === "asked") {
      const { userText, notification } = response;
      this.show(`${userText} ${notification.request.content.title} ${notification.date}`);
      completion("doNotDismiss");
    }
    if (way === "twice") {
      completion("doNotDismiss");
      completion("dismiss");
    }
    if (way === "later") setTimeout(10).then(() => completion("dismiss"));
    if (way === "nonsense") completion("nonsense");
    if (way === "refusedAfterwards") {
      completion("dismiss");
      throw new ExtensionError("notNow", "not now");
    }
  }

  mediaPlay() {
    this.show("plays");
  }

  didDismiss() {
    this.context.log("dismissed", "notice");
    throw new Error("nobody is told");
  }

  show(text) {
    this.context.view = View.stack([View.text(text, { id: "text" }), View.field({ id: "way" })]);
  }

  // MARK: Touches

  prints() {
    console.log("a print of the author's");
    writeSync(1, '{"jsonrpc":"2.0","id":1,"result":{"raw":"no line end"}}');
    process.stdout.write("half a line");
    const found = execFileSync("cat", { stdio: ["inherit", "pipe", "inherit"] }).toString();
    spawnSync("echo", ["a child's print"], { stdio: "inherit" });
    this.show(`read '${found}'`);
  }

  async fails() {
    this.show("not shown");
    throw new TypeError("boom");
  }

  refuses() {
    this.context.notificationActions = [];
    this.context.view.children[0].text = "not shown";
    throw new ExtensionError("notNow", "not now", "/params/value");
  }

  changes() {
    this.context.view.children[0].text = "changed inside";
  }

  random() {
    this.show(Array.from({ length: 5 }, () => this.context.random.next()).join(" "));
  }

  time() {
    this.show([this.context.now, this.context.now].map((time) => time.toISOString()).join(" "));
  }

  texts() {
    const keys = [["GREETING", "Ada"], ["ORDER", 1, 2], ["ONLY_ENGLISH"], ["ONLY_BASE"], ["NOWHERE"]];
    keys.push(...[0, 1, 2, 5, 1022, -1, "many"].map((number) => ["GOALS", "Ada", number]));
    this.show(keys.map((key) => this.context.localized(...key)).join("|"));
  }

  async stores() {
    await this.context.store({ a: [1, null] }, "key");
    const found = await this.context.retrieve("key");
    await this.context.removeObject("key");
    const isGone = (await this.context.retrieve("key")) === null;
    const word = (truth) => (truth ? "True" : "False");
    this.show(`${word(JSON.stringify(found) === '{"a":[1,null]}')} ${word(isGone)}`);
  }

  async guide() {
    const lists = {
      pending_custom_events: { event_name: "Waved", hand: "left" },
      pending_custom_attributes: { level: 2 },
      pending_user_attributes: { email: "ada@example.com" },
    };
    for (const [key, element] of Object.entries(lists)) {
      const pending = await this.context.retrieve(key);
      await this.context.store(pending === null ? [element] : [...pending, element], key);
    }
    try {
      await this.context.store([], "pending_custom_events");
    } catch (error) {
      this.show(`${error.reason} ${error.path}`);
    }
  }

  async saves() {
    try {
      await this.context.saveCustomEvent("", { a: 1 });
    } catch (error) {
      this.show(`${error.reason} ${error.path}`);
    }
    await this.context.saveCustomEvent("Saved", { a: 1 });
    await this.context.saveCustomAttribute("b", null);
    await this.context.saveUserAttribute("email", "ada@example.com");
  }

  async saves_nan() {
    await this.context.saveCustomEvent("E", { list: [1, { "a/b": NaN }] });
  }

  async fails_to_save() {
    await this.context.saveUserAttribute("shoe_size", 38);
  }

  async saves_with_options() {
    const options = { user: { external_id: "grace" }, idempotencyKey: "once" };
    await this.context.saveCustomEvent("Dated", undefined, { time: new Date("2025-01-01T01:00:00Z"), ...options });
    await this.context.saveCustomAttribute("merged", { a: 1 }, true, { ...options, idempotencyKey: "c" });
    await this.context.saveUserAttribute("email", null, { ...options, idempotencyKey: "u" });
  }

  async waits() {
    const gate = await open("gate");
    await gate.read(Buffer.alloc(1), 0, 1, null);
    await gate.close();
    this.show("waited");
  }

  later() {
    open("gate").then(async (gate) => {
      await gate.read(Buffer.alloc(1), 0, 1, null);
      await gate.close();
      this.show("shown later");
      this.context.notificationActions = [];
      await this.context.saveCustomEvent("Later");
      this.context.log("later");
    });
  }

  appearance() {
    this.context.title = "A title";
    const frame = { x: 1, y: 2, width: 3, height: 4 };
    this.context.media = { button: "overlay", frame, tintColor: "#ff0000", playing: false };
  }

  remarks() {
    this.context.addDiagnostic("pageLeftOut", "page 2 has no image");
  }

  remarks_and_refuses() {
    this.context.addDiagnostic("forgotten", "the error says it all");
    throw new ExtensionError("notNow", "not now");
  }

  nodes() {
    const text = View.text("Heading", { style: "title", alignment: "center", color: "#ff0000", isBold: true });
    const image = View.image("https://example.com/a.png", { alt: "A cat" });
    const button = View.button("Back", { id: "back", color: "#ffffff", isBold: true, background: "#0000ff" });
    const shades = { light: "#ffffff", dark: "#000000" };
    const row = View.row([button, View.text("plain")], { id: "row", background: shades });
    const card = View.card({ id: "card", face: "A", isMatched: true });
    const grid = View.grid([card], { columns: 2, background: "#111111" });
    const progress = View.progress(1, 2, { color: "#00ff00" });
    const field = View.field({ id: "field", value: "v", placeholder: "p" });
    const film = { kind: "video", state: "paused", time: 1.5, duration: 3.5, id: "film", alt: "A dance" };
    const span = { latitude: 0.5, longitude: 0.25 };
    const annotations = [{ title: "Here", latitude: 1.5, longitude: 2.5 }];
    const shown = [View.media("a.mp4", film), View.map(1.5, -2.5, { span, annotations })];
    const pages = [text, image, row, View.stack([grid, field, progress, ...shown], { background: "#222222" })];
    this.context.view = View.carousel(pages, { id: "pages", page: 2, background: "#333333" });
  }

  number() {
    this.show(2 ** 64);
  }

  not_a_number() {
    this.context.view = View.progress(NaN, 1);
  }

  half() {
    this.show("\ud800");
  }

  no_view() {
    this.context.view = "text";
  }

  logs() {
    this.context.log("a line", "warning");
  }

  async started() {
    await this.context.mediaPlayingStarted();
  }

  async paused() {
    await this.context.mediaPlayingPaused();
  }

  no_media() {
    this.context.media = { button: "none" };
  }

  async opens() {
    await this.context.performNotificationDefaultAction("myapp://home");
  }

  async opens_nowhere() {
    await this.context.performNotificationDefaultAction("nowhere");
  }

  async ends() {
    await this.context.dismissNotificationContentExtension();
  }
}

main(Behaviours, { completionLimit: 0.5 });
