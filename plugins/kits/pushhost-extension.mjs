/**
 * Authoring kit for content extensions of pushhost, in Node 18 or later; it needs nothing else.
 *
 * Copy or link this file into the bundle, beside the executable. README.md of this folder has a whole example.
 * The names are those of Apple's UNNotificationContentExtension and of ExtensionKit. What asks the host returns a
 * promise, and every handler may be async.
 */

import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { Socket } from "node:net";
import { basename, dirname, join } from "node:path";
import { isatty } from "node:tty";

/** The action of a tap on the notification itself. */
export const defaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier";
/** The action of a swipe, which comes only where the category has `customDismissAction`. */
export const dismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier";

/**
 * What becomes of a notification after a response: it stays, it goes, or it goes and the app is opened.
 * @typedef {"doNotDismiss" | "dismiss" | "dismissAndForwardAction"} ResponseOption
 */

/** @type {{doNotDismiss: "doNotDismiss", dismiss: "dismiss", dismissAndForwardAction: "dismissAndForwardAction"}} */
export const NotificationContentExtensionResponseOption = Object.freeze({
  doNotDismiss: "doNotDismiss",
  dismiss: "dismiss",
  dismissAndForwardAction: "dismissAndForwardAction",
});

/**
 * A button of the notification; with `textInput` the response has `userText`.
 * @typedef {object} NotificationAction
 * @property {string} identifier
 * @property {string} title
 * @property {("authenticationRequired" | "destructive" | "foreground")[]} [options]
 * @property {{buttonTitle?: string, placeholder?: string}} [textInput]
 */

/**
 * The system's button that plays and pauses media, in points; the colour is for whoever draws it.
 * @typedef {object} MediaButton
 * @property {"none" | "default" | "overlay"} button
 * @property {{x: number, y: number, width: number, height: number}} [frame]
 * @property {string} [tintColor]
 */

/**
 * A notification that was received; `date` is RFC 3339, `attachments` are URLs.
 * @typedef {object} Notification
 * @property {string} date
 * @property {object} request
 * @property {string} request.identifier
 * @property {string} [request.locale]
 * @property {"compact" | "regular"} [request.verticalSizeClass] Absent if nobody said how much height there is.
 * @property {object} request.content
 * @property {string} request.content.title
 * @property {string} request.content.subtitle
 * @property {string} request.content.body
 * @property {string} request.content.categoryIdentifier
 * @property {string} request.content.threadIdentifier
 * @property {string[]} request.content.attachments
 * @property {UserInfo} request.content.userInfo
 */

/** @typedef {{actionIdentifier: string, userText?: string}} NotificationResponse A press of a button. */
/** @typedef {{element: string, value?: any}} Interaction A touch of the node of that id. */
/** @typedef {{type: string, id?: string} & Record<string, any>} Node A node of a view, as on the wire. */

/** Why an extension refuses what was asked of it; the caller is told just this. Thrown too when the host refuses. */
export class ExtensionError extends Error {
  /**
   * @param {string} reason A stable word for programs.
   * @param {string} message A sentence for people: what is wrong and what is needed.
   * @param {string} [path] A JSON Pointer into the request, where something in it is wrong.
   */
  constructor(reason, message, path) {
    super(message);
    this.name = "ExtensionError";
    this.reason = reason;
    this.path = path;
  }
}

/** The payload's members, with errors that name key, finding and need; the dashboard's pairs arrive as texts. */
export class UserInfo {
  /** @param {Record<string, any>} json The members as they came, of any type. */
  constructor(json) {
    this.json = json;
  }

  /**
   * The member of that key, of any type.
   * @param {string} key
   * @returns {any}
   */
  get(key) {
    return Object.hasOwn(this.json, key) ? this.json[key] : undefined;
  }

  /**
   * A text that must be there.
   * @param {string} key
   * @returns {string}
   */
  string(key) {
    const text = this.optionalString(key);
    if (text === undefined) throw this.wrong(key, "a string");
    return text;
  }

  /**
   * A text, or undefined where the key is absent.
   * @param {string} key
   * @returns {string | undefined}
   */
  optionalString(key) {
    const value = this.get(key);
    if (value !== undefined && typeof value !== "string") throw this.wrong(key, "a string");
    return value;
  }

  /**
   * The integer that a text spells, within bounds.
   * @param {string} key
   * @param {number} minimum
   * @param {number} maximum
   * @returns {number}
   */
  integer(key, minimum, maximum) {
    const value = this.get(key);
    const number = typeof value === "string" && /^[+-]?[0-9]{1,15}$/.test(value) ? Number(value) : NaN;
    if (number >= minimum && number <= maximum) return number;
    throw this.wrong(key, `a string that spells an integer from ${minimum} to ${maximum}`);
  }

  /**
   * The error for a member that is not what is needed, which is said with its article.
   * @param {string} key
   * @param {string} needed
   */
  wrong(key, needed) {
    const value = this.get(key);
    const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
    const found = value === undefined ? "is missing" : `is ${JSON.stringify(value)} (${type})`;
    const path = "/params/request/content/userInfo/" + key.replaceAll("~", "~0").replaceAll("/", "~1");
    return new ExtensionError("invalidUserInfo", `the key-value pair ${key} must be ${needed}, it ${found}`, path);
  }
}

/** @param {string} type @param {string | undefined} id @param {Record<string, any>} members @returns {Node} */
const node = (type, id, members) => ({ type, ...(id === undefined ? {} : { id }), ...members });

/** The members that have a value. @param {Record<string, any>} members */
const given = (members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Makes the nodes of a view. Ids are what a touch names; two nodes of a view must not share one. */
export const View = Object.freeze({
  /**
   * Nodes from top to bottom.
   * @param {Node[]} children
   * @param {{id?: string}} [of]
   */
  stack: (children, of) => node("stack", of?.id, { children }),
  /**
   * Nodes from left to right.
   * @param {Node[]} children
   * @param {{id?: string}} [of]
   */
  row: (children, of) => node("row", of?.id, { children }),
  /**
   * Pages, of which the one at position `page` is shown, counted from 0. A swipe is an interaction with the carousel's
   * id and the number of the page as value; it changes nothing until the extension shows that page.
   * @param {Node[]} pages
   * @param {{id: string, page: number}} of
   */
  carousel: (pages, { id, page }) => node("carousel", id, { page, children: pages }),
  /**
   * Nodes row by row.
   * @param {Node[]} children
   * @param {{columns: number, id?: string}} of
   */
  grid: (children, { columns, id }) => node("grid", id, { columns, children }),
  /**
   * A text.
   * @param {string} text
   * @param {{id?: string, style?: "title" | "body" | "caption", alignment?: "start" | "center" | "end"}} [of]
   */
  text: (text, of) => node("text", of?.id, { text, ...given({ style: of?.style, alignment: of?.alignment }) }),
  /**
   * A picture; `alt` is what it shows, for people who do not see it.
   * @param {string} url
   * @param {{id?: string, alt?: string}} [of]
   */
  image: (url, of) => node("image", of?.id, { url, ...given({ alt: of?.alt }) }),
  /**
   * A playing card; without a face it lies face down.
   * @param {{id: string, face?: string, isMatched?: boolean}} of
   */
  card: ({ id, face, isMatched = false }) =>
    node("card", id, { faceUp: face !== undefined, ...(face === undefined ? {} : { face }), matched: isMatched }),
  /**
   * Something to press.
   * @param {string} title
   * @param {{id: string}} of
   */
  button: (title, { id }) => node("button", id, { title }),
  /**
   * Something to write into.
   * @param {{id: string, value?: string, placeholder?: string}} of
   */
  field: ({ id, value = "", placeholder = "" }) => node("field", id, { value, placeholder }),
  /**
   * How much of something is done.
   * @param {number} value
   * @param {number} total
   * @param {{id?: string}} [of]
   */
  progress: (value, total, of) => node("progress", of?.id, { value, total }),
});

/** Chance of one presentation: with a seed the same for the same notification, whatever ran before. */
export class PresentationRandom {
  #state;

  /** @param {bigint | undefined} seed @param {string} notification */
  constructor(seed, notification) {
    if (seed === undefined) {
      this.#state = randomBytes(8).readBigUInt64LE();
      return;
    }
    // FNV-1a, as in ExtensionKit.
    const hash = (/** @type {bigint} */ word, /** @type {number} */ byte) =>
      BigInt.asUintN(64, (word ^ BigInt(byte)) * 0x100000001b3n);
    this.#state = Buffer.from(notification).reduce(hash, BigInt.asUintN(64, seed ^ 0xcbf29ce484222325n));
  }

  /**
   * The next number of 64 bits (SplitMix64).
   * @returns {bigint}
   */
  next() {
    this.#state = BigInt.asUintN(64, this.#state + 0x9e3779b97f4a7c15n);
    let word = this.#state;
    word = BigInt.asUintN(64, (word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n);
    word = BigInt.asUintN(64, (word ^ (word >> 27n)) * 0x94d049bb133111ebn);
    return word ^ (word >> 31n);
  }

  /**
   * A number from zero up to the bound, each as likely as the others.
   * @param {number} bound
   * @returns {number}
   */
  below(bound) {
    if (!Number.isSafeInteger(bound) || bound < 1) throw new RangeError(`the bound must be 1 or more, it is ${bound}`);
    const end = BigInt.asUintN(64, -1n) - (BigInt.asUintN(64, -1n) % BigInt(bound));
    let word = this.next();
    while (word >= end) word = this.next();
    return Number(word % BigInt(bound));
  }

  /**
   * A number from zero up to one.
   * @returns {number}
   */
  random() {
    return Number(this.next() >> 11n) / 2 ** 53;
  }

  /**
   * One of the elements, each as likely as the others.
   * @template T
   * @param {T[]} elements
   * @returns {T}
   */
  choice(elements) {
    return elements[this.below(elements.length)];
  }

  /**
   * Brings an array into an order by chance, in place.
   * @param {any[]} elements
   */
  shuffle(elements) {
    for (let last = elements.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [elements[last], elements[other]] = [elements[other], elements[last]];
    }
  }
}

/**
 * What one presentation shows and saves through; Apple's NSExtensionContext and the guide's suite in one.
 *
 * What is set during a call goes out with its answer, and is taken back where the call fails. A view or actions that
 * are set between calls, by a timer say, are shown at once.
 */
export class ExtensionContext {
  /**
   * Chance of the presentation's own; fixed where the host's is.
   * @type {PresentationRandom}
   */
  random;
  /**
   * The locale of the latest notification, else the host's.
   * @type {string}
   */
  locale;
  /**
   * What the app is to open, if the response that is handled forwards; forgotten when the call is over.
   * @type {string | undefined}
   */
  applicationURL;

  #notification;
  #host;
  /** @type {Record<string, any>} */
  #values = { actions: Object.freeze([]) };
  /**
   * What was set since the last answer.
   * @type {Set<string>}
   */
  #set = new Set();
  // What the host shows, as JSON: to detect a change inside the view, and to undo a refused one.
  /** @type {Record<string, string>} */
  #shown = {};
  // Made within the call that it is needed for first.
  #isInCall = true;
  // The last response's, which may still be called a second time, and before it those whose remarks wait.
  /** @type {Completion[]} */
  #completions = [];
  /** @type {{reason: string, message: string}[]} */
  #diagnostics = [];

  /**
   * Made by the kit.
   * @param {string} notification
   * @param {Host} host
   */
  constructor(notification, host) {
    this.#notification = notification;
    this.#host = host;
    this.random = new PresentationRandom(host.seed, notification);
    this.locale = host.locale;
  }

  /**
   * What is shown; the host keeps showing it until it is set again.
   * @returns {Node | undefined}
   */
  get view() {
    return this.#values.view;
  }

  set view(view) {
    if (typeof view?.type !== "string") throw new TypeError("a view is a node such as View.text(…)");
    this.#change("view", view, "setView");
  }

  /**
   * The buttons that are offered: what the host told with the notification until they are set.
   * @returns {readonly NotificationAction[]}
   */
  get notificationActions() {
    return this.#values.actions;
  }

  set notificationActions(actions) {
    this.#change("actions", Object.freeze([...actions]), "setNotificationActions");
  }

  /**
   * What stands in place of the notification's title; the host shows it only where the Info.plist sets
   * UNNotificationExtensionOverridesDefaultTitle.
   * @returns {string | undefined}
   */
  get title() {
    return this.#values.title;
  }

  set title(title) {
    this.#change("title", title);
  }

  /**
   * The system's button that plays and pauses media; none until it is set.
   * @returns {MediaButton | undefined}
   */
  get media() {
    return this.#values.media;
  }

  set media(media) {
    this.#change("media", media);
  }

  /**
   * The time: the host's where that is fixed.
   * @returns {Date}
   */
  get now() {
    return this.#host.now();
  }

  /**
   * The text of a key in the bundle's Localizable.strings, with `%@` and `%1$@` replaced by the arguments. Looked up
   * in the `.lproj` folders of the locale and its language, of `en` and in `Base`; else the key.
   * @param {string} key
   * @param {...any} args
   * @returns {string}
   */
  localized(key, ...args) {
    return this.#host.strings.text(key, this.locale, args);
  }

  /**
   * Says in the reply to the client what was left out or changed, though the call succeeds. A call that throws forgets
   * it.
   * @param {string} reason A stable word for programs.
   * @param {string} message One sentence for people.
   */
  addDiagnostic(reason, message) {
    this.#diagnostics.push({ reason, message });
  }

  /**
   * Saves a custom event; once it is resolved the event survives a power loss.
   * @param {string} name
   * @param {Record<string, any>} [properties]
   * @returns {Promise<void>} Rejected with an ExtensionError when it is not stored.
   */
  async saveCustomEvent(name, properties) {
    await this.#request("saveCustomEvent", { name, ...(properties === undefined ? {} : { properties }) });
  }

  /**
   * Saves a custom attribute; null removes it from the profile.
   * @param {string} key
   * @param {any} value
   */
  async saveCustomAttribute(key, value) {
    await this.#request("saveCustomAttribute", { key, value });
  }

  /**
   * Saves a standard field of the user's profile such as `email`.
   * @param {string} field
   * @param {any} value
   */
  async saveUserAttribute(field, value) {
    await this.#request("saveUserAttribute", { field, value });
  }

  /**
   * Sets the value of a key in the extension's suite.
   * @param {any} value
   * @param {string} key
   */
  async store(value, key) {
    await this.#request("store", { key, value });
  }

  /**
   * The value of a key in the extension's suite, or null where there is none.
   * @param {string} key
   */
  async retrieve(key) {
    return (await this.#request("retrieve", { key }))?.value ?? null;
  }

  /**
   * Removes a key and its value from the extension's suite.
   * @param {string} key
   */
  async removeObject(key) {
    await this.#request("removeObject", { key });
  }

  /**
   * Opens the app as if the notification was tapped; the notification goes.
   * @param {string} [url] What the app is to open: an absolute URL.
   */
  async performNotificationDefaultAction(url) {
    await this.#request("performNotificationDefaultAction", given({ url }));
  }

  /** Dismisses the notification. */
  async dismissNotificationContentExtension() {
    await this.#request("dismissNotificationContentExtension", {});
  }

  /** Tells that media began to play, where that was not the button's doing. */
  async mediaPlayingStarted() {
    await this.#request("mediaPlayingStarted", {});
  }

  /** Tells that media stopped playing, where that was not the button's doing. */
  async mediaPlayingPaused() {
    await this.#request("mediaPlayingPaused", {});
  }

  /**
   * Writes to the host's log.
   * @param {string} message
   * @param {"trace" | "debug" | "info" | "notice" | "warning" | "error" | "critical"} [level]
   */
  log(message, level = "info") {
    this.#host.notify("log", { notification: this.#notification, level, message });
  }

  /** @param {string} method @param {Record<string, any>} params */
  #request(method, params) {
    return this.#host.request(method, { notification: this.#notification, ...params });
  }

  /** @param {string} name @param {any} value @param {string} [method] */
  #change(name, value, method) {
    this.#values[name] = value;
    if (this.#isInCall || method === undefined) {
      this.#set.add(name);
      return;
    }
    this.#shown[name] = encode(value);
    this.#host.notify(method, { notification: this.#notification, [name]: value });
  }

  /**
   * Takes the buttons that are offered before the author's code runs.
   * @internal
   * @param {NotificationAction[]} actions
   */
  _offer(actions) {
    this.#values.actions = Object.freeze(actions);
    this.#shown.actions = encode(actions);
  }

  /** @internal @param {Completion} completion */
  _expect(completion) {
    this.#completions.push(completion);
  }

  /**
   * Runs the author's code and gives what it changed; what it showed before it threw is forgotten.
   * @internal
   * @param {() => any} body
   */
  async _run(body) {
    const before = { ...this.#values };
    this.#isInCall = true;
    /** @type {Record<string, any>} */
    const result = {};
    /** @type {Record<string, string>} */
    const shown = {};
    let set;
    /** @type {{reason: string, message: string}[]} */
    let remarks;
    try {
      Object.assign(result, await body());
      for (const [name, value] of Object.entries(this.#values)) {
        if (value !== undefined) shown[name] = encode(value);
      }
    } catch (error) {
      // The view's own text, since the author may have changed the object itself.
      before.view = this.#shown.view === undefined ? undefined : JSON.parse(this.#shown.view);
      this.#values = before;
      throw error;
    } finally {
      set = this.#set;
      this.#set = new Set();
      this.#isInCall = false;
      this.applicationURL = undefined;
      remarks = this.#diagnostics;
      this.#diagnostics = [];
    }
    for (const [name, text] of Object.entries(shown)) {
      const isChanged = (name in this.#shown || name === "view") && this.#shown[name] !== text;
      if (set.has(name) || isChanged) result[name] = this.#values[name];
    }
    this.#shown = shown;
    const diagnostics = [...this.#completions.flatMap((completion) => completion.takeRemarks()), ...remarks];
    this.#completions = this.#completions.slice(-1);
    if (diagnostics.length > 0) result.diagnostics = diagnostics;
    return result;
  }
}

/**
 * A content extension, as its author writes it: a subclass, of which one object shows one presentation.
 *
 * It may also have `didReceiveResponse(response, completion)`, `interact(interaction)`, `mediaPlay()`, `mediaPause()`
 * and `didDismiss()`; without one of the first four, what they are for goes to the app or is refused. The completion
 * takes a ResponseOption and is to be called exactly once. An ExtensionError refuses the call: what was shown stays.
 */
export class NotificationContentExtension {
  /**
   * The least version of the contract that the extension needs; a host that is older refuses it. `row`, `carousel`,
   * and the style, alignment and alt of nodes came with 1.1.
   */
  static contractVersion = "1.0";

  /** @param {ExtensionContext} context */
  constructor(context) {
    this.context = context;
  }

  /**
   * Takes a notification; called again for a later one of the same thread.
   * @param {Notification} notification
   * @returns {void | Promise<void>}
   */
  didReceive(notification) {
    throw new Error(`${this.constructor.name} needs didReceive(notification)`);
  }
}

/**
 * Serves the host on stdin and stdout, until it needs the process no more.
 *
 * Descriptor 1 leads to stderr then, so that no console.log, process.stdout or child reaches the host's wire, and
 * descriptor 0 to nothing.
 *
 * @param {new (context: ExtensionContext) => NotificationContentExtension} extension
 * @param {{completionLimit?: number}} [options] For how many seconds a response's completion is awaited after its
 *   handler returned: 5.
 */
export function main(extension, options) {
  if (isatty(0)) {
    console.error(`${basename(process.argv[1])} is an extension that pushhost starts: pushhost --plugins <bundle>`);
    process.exit(1);
  }
  new Main(extension, options?.completionLimit ?? 5);
}

// MARK: The process

/** The one completion of a response, which may come at any time. */
class Completion {
  #action;
  /** @type {ResponseOption | undefined} */
  #option;
  #count = 0;
  #isMissing = false;
  #isCalled = () => {};
  #called = new Promise((/** @type {(_: void) => void} */ resolve) => (this.#isCalled = resolve));

  /** @param {string} action */
  constructor(action) {
    this.#action = action;
  }

  /** @param {ResponseOption} option */
  complete(option) {
    if (!Object.hasOwn(NotificationContentExtensionResponseOption, option)) {
      const known = Object.keys(NotificationContentExtensionResponseOption).join(", ");
      throw new TypeError(`the completion takes one of ${known}, not ${option}`);
    }
    this.#count += 1;
    if (this.#option === undefined && !this.#isMissing) this.#option = option;
    this.#isCalled();
  }

  /** @param {number} seconds @returns {Promise<ResponseOption>} */
  async wait(seconds) {
    let timer;
    const limit = new Promise((resolve) => (timer = setTimeout(resolve, seconds * 1000)));
    await Promise.race([this.#called, limit]);
    clearTimeout(timer);
    this.#isMissing = this.#option === undefined;
    return this.#option ?? "doNotDismiss";
  }

  /** What the author did wrong with it since it was last asked; each mistake is told once. */
  takeRemarks() {
    const [isMissing, count] = [this.#isMissing, this.#count];
    [this.#isMissing, this.#count] = [false, Math.min(count, 1)];
    const what = `the completion handler for ${this.#action}`;
    if (isMissing) {
      const message = `${what} was not called in time, so the notification stays`;
      return [{ reason: "completionMissing", message }];
    }
    if (count < 2) return [];
    return [{ reason: "completionTwice", message: `${what} was called ${count} times; the first counts` }];
  }
}

/** A call that no handler can take. */
class CallError extends Error {
  /** @param {number} code @param {string} reason @param {string} message */
  constructor(code, reason, message) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** An extension's process: the host's calls, each given to the object of its presentation, one after the other. */
class Main {
  /** @type {Map<string, {shown: any, context: ExtensionContext}>} */
  #presentations = new Map();
  #extension;
  #completionLimit;
  #host;
  /** @type {Record<string, (params: any) => any>} */
  #methods = {
    activate: (params) => this.#activate(params),
    didReceive: (params) => this.#didReceive(params),
    didReceiveResponse: (params) => this.#didReceiveResponse(params),
    interact: (params) => this.#interact(params),
    mediaPlay: (params) => this.#call(params, "mediaPlay"),
    mediaPause: (params) => this.#call(params, "mediaPause"),
    didDismiss: (params) => this.#didDismiss(params),
    deactivate: () => ({}),
  };

  /** @param {new (context: ExtensionContext) => any} extension @param {number} completionLimit */
  constructor(extension, completionLimit) {
    this.#extension = extension;
    this.#completionLimit = completionLimit;
    let earlier = Promise.resolve();
    this.#host = new Host((call) => {
      earlier = earlier.then(() => this.#take(call));
    });
    // An unhandled rejection must not end the process, which serves other presentations too.
    for (const event of ["uncaughtException", "unhandledRejection"]) {
      process.on(event, (/** @type {unknown} */ error) => console.error(error));
    }
  }

  /** @param {any} call A call, or null at the end of the input. */
  async #take(call) {
    if (call === null) process.exit(0);
    const answer = { jsonrpc: "2.0", id: call.id };
    let line;
    try {
      const method = Object.hasOwn(this.#methods, call.method) ? this.#methods[call.method] : undefined;
      if (method === undefined) throw new CallError(-32601, "methodNotFound", `Method not found: ${call.method}`);
      if (call.params !== undefined && !isObject(call.params)) {
        throw new CallError(-32602, "invalidParamsType", "Invalid params: this kit takes params by name");
      }
      line = encode({ ...answer, result: await method(call.params ?? {}) });
    } catch (thrown) {
      const error = describe(thrown);
      line = encode({ ...answer, error });
      if (call.id === undefined) console.error(`${call.method} failed: ${error.message}`);
    }
    if (call.id !== undefined) this.#host.write(line + "\n");
    if (call.method === "deactivate") process.exit(0);
  }

  /** @param {any} params */
  #activate(params) {
    this.#host.activate(params);
    return { version: /** @type {any} */ (this.#extension).contractVersion ?? "1.0" };
  }

  /** @param {any} params */
  async #didReceive(params) {
    const identifier = member(params, "notification", "string");
    const request = member(params, "request", "object");
    const content = request.content ?? {};
    let presentation = this.#presentations.get(identifier);
    if (presentation === undefined) {
      const context = new ExtensionContext(identifier, this.#host);
      presentation = { shown: new this.#extension(context), context };
    }
    const { shown, context } = presentation;
    // A host of an earlier contract does not send the buttons.
    if (Array.isArray(params.actions)) context._offer(params.actions);
    const locale = context.locale;
    context.locale = request.locale || this.#host.locale;
    const text = (/** @type {string} */ name) => content[name] ?? "";
    const notification = {
      date: request.date ?? "",
      request: {
        identifier: request.identifier ?? identifier,
        ...(request.locale === undefined ? {} : { locale: request.locale }),
        ...(request.verticalSizeClass === undefined ? {} : { verticalSizeClass: request.verticalSizeClass }),
        content: {
          title: text("title"),
          subtitle: text("subtitle"),
          body: text("body"),
          categoryIdentifier: text("categoryIdentifier"),
          threadIdentifier: text("threadIdentifier"),
          attachments: (content.attachments ?? []).flatMap((/** @type {any} */ { url }) => url ?? []),
          userInfo: new UserInfo(content.userInfo ?? {}),
        },
      },
    };
    try {
      const result = await context._run(async () => void (await shown.didReceive(notification)));
      // A notification that was refused is not shown, so its object goes.
      this.#presentations.set(identifier, presentation);
      return result;
    } catch (error) {
      context.locale = locale;
      throw error;
    }
  }

  /** @param {any} params */
  #didReceiveResponse(params) {
    const { shown, context } = this.#presentation(params, "didReceiveResponse");
    const actionIdentifier = member(params, "actionIdentifier", "string");
    const response = { actionIdentifier, ...(params.userText === undefined ? {} : { userText: params.userText }) };
    const completion = new Completion(actionIdentifier);
    return context._run(async () => {
      context._expect(completion);
      await shown.didReceiveResponse(response, (/** @type {ResponseOption} */ option) => completion.complete(option));
      const option = await completion.wait(this.#completionLimit);
      return { option, ...given({ url: option === "dismissAndForwardAction" ? context.applicationURL : undefined }) };
    });
  }

  /** @param {any} params */
  #interact(params) {
    const element = member(params, "element", "string");
    return this.#call(params, "interact", { element, ...("value" in params ? { value: params.value } : {}) });
  }

  /** @param {any} params @param {string} name @param {...any} args */
  #call(params, name, ...args) {
    const { shown, context } = this.#presentation(params, name);
    return context._run(async () => void (await shown[name](...args)));
  }

  /** @param {any} params */
  async #didDismiss(params) {
    const identifier = member(params, "notification", "string");
    const presentation = this.#presentations.get(identifier);
    this.#presentations.delete(identifier);
    await presentation?.shown.didDismiss?.();
    return {};
  }

  /** @param {any} params @param {string} name */
  #presentation(params, name) {
    const identifier = member(params, "notification", "string");
    const presentation = this.#presentations.get(identifier);
    if (presentation === undefined) {
      throw new ExtensionError("unknownNotification", `the notification ${identifier} is not shown here`);
    }
    if (typeof presentation.shown[name] !== "function") {
      throw new CallError(-32601, "methodNotFound", `Method not found: the extension has no ${name}`);
    }
    return presentation;
  }
}

/** The pipe to the host: stdin and stdout as they were when the kit took them. */
class Host {
  locale = "en";
  /** @type {bigint | undefined} */
  seed;
  strings = new Strings(process.cwd());
  /** @type {number | undefined} */
  #clock;
  #output;
  #last = 0;
  /**
   * The answers that are awaited, until the input ends.
   * @type {Map<number, (message: any) => void> | undefined}
   */
  #waiting = new Map();
  #onCall;

  /** @param {(call: any) => void} onCall Takes each call, then null at the end. */
  constructor(onCall) {
    this.#onCall = onCall;
    const { input, output } = wire ?? takeWire();
    this.#output = output;
    // Ends the line, if something was written to the wire before the kit took it.
    this.write("\n");
    const isFile = fs.fstatSync(input).isFile();
    const stream = isFile ? fs.createReadStream("", { fd: input }) : new Socket({ fd: input, readable: true });
    let rest = "";
    stream.setEncoding("utf8");
    stream.on("data", (/** @type {string} */ chunk) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
    });
    stream.on("error", () => stream.destroy());
    stream.on("close", () => {
      this.#take(rest);
      const waiting = this.#waiting ?? new Map();
      this.#waiting = undefined;
      for (const answered of waiting.values()) answered(undefined);
      onCall(null);
    });
  }

  /** @param {any} params */
  activate(params) {
    this.locale = params.locale ?? this.locale;
    this.seed = params.seed === undefined ? undefined : BigInt(params.seed);
    this.#clock = params.clock === undefined ? undefined : Date.parse(params.clock);
  }

  now() {
    return new Date(this.#clock === undefined ? Date.now() : this.#clock++);
  }

  /**
   * Asks the host and waits for its answer.
   * @param {string} method
   * @param {any} params
   * @returns {Promise<any>}
   */
  async request(method, params) {
    const id = ++this.#last;
    const line = encode({ jsonrpc: "2.0", id, method, params });
    const message = await new Promise((resolve) => {
      if (this.#waiting === undefined) return resolve(undefined);
      this.#waiting.set(id, resolve);
      this.write(line + "\n");
    });
    if (message === undefined) {
      throw new ExtensionError("hostGone", `the host closed the pipe before it answered ${method}`);
    }
    const { error } = message;
    if (error) throw new ExtensionError(error.data?.reason ?? "hostError", error.message, error.data?.path);
    return message.result;
  }

  /** @param {string} method @param {any} params */
  notify(method, params) {
    this.write(encode({ jsonrpc: "2.0", method, params }) + "\n");
  }

  /** @param {string} line */
  write(line) {
    let rest = Buffer.from(line);
    try {
      while (rest.length > 0) rest = rest.subarray(fs.writeSync(this.#output, rest));
    } catch (error) {
      // A host that is gone reads nothing; the end of input follows.
      if (/** @type {any} */ (error).code !== "EPIPE") throw error;
    }
  }

  /** @param {string} line */
  #take(line) {
    if (line.trim() === "") return;
    let message;
    try {
      message = parse(line);
    } catch (error) {
      return this.#refuse(-32700, "parseError", `Parse error: ${/** @type {Error} */ (error).message}`);
    }
    if (isObject(message) && typeof message.method === "string") return this.#onCall(message);
    if (!isObject(message) || "method" in message) {
      return this.#refuse(-32600, "invalidRequest", "Invalid Request: a message is an object with a method");
    }
    const answered = this.#waiting?.get(message.id);
    this.#waiting?.delete(message.id);
    answered?.(message);
  }

  /** @param {number} code @param {string} reason @param {string} message */
  #refuse(code, reason, message) {
    this.write(encode({ jsonrpc: "2.0", id: null, error: { code, message, data: { reason } } }) + "\n");
  }
}

/** Takes stdin and stdout away from everybody else; gives descriptors that no child inherits. */
function takeWire() {
  // Opened by name, since Node cannot duplicate a descriptor.
  const input = reopen(0, fs.constants.O_RDONLY);
  const output = reopen(1, fs.constants.O_WRONLY);
  replace(0, "/dev/null", fs.constants.O_RDONLY);
  replace(1, "/dev/fd/2", fs.constants.O_WRONLY | fs.constants.O_APPEND);
  return { input, output };
}

/**
 * @param {number} descriptor
 * @param {number} flags
 * @returns {number}
 */
function reopen(descriptor, flags) {
  try {
    return fs.openSync(`/dev/fd/${descriptor}`, flags);
  } catch (cause) {
    throw new Error(`descriptor ${descriptor} must be a pipe or a file, as pushhost gives it`, { cause });
  }
}

/**
 * Lets a descriptor lead elsewhere: a file that is opened gets the lowest free one.
 * @param {number} descriptor
 * @param {string} path
 * @param {number} flags
 */
function replace(descriptor, path, flags) {
  fs.closeSync(descriptor);
  let opened;
  try {
    opened = fs.openSync(path, flags);
  } catch {
    opened = fs.openSync("/dev/null", fs.constants.O_RDWR); // There is no stderr.
  }
  if (opened !== descriptor) throw new Error(`descriptor ${descriptor} was taken by another meanwhile`);
}

/** Whether this process runs the executable of a bundle, rather than a test of its modules. */
function runsBundle() {
  try {
    const program = fs.realpathSync(process.argv[1]);
    return !isatty(0) && fs.readFileSync(join(dirname(program), "Info.plist")).includes(basename(program));
  } catch {
    return false;
  }
}

// At once, so that what a module prints while it is loaded is kept from the wire too.
const wire = runsBundle() ? takeWire() : undefined;

// MARK: Localisation

/** The bundle's Localizable.strings, each file read when it is first needed. */
class Strings {
  #bundle;
  /** @type {Map<string, Map<string, string>>} */
  #tables = new Map();

  /** @param {string} bundle */
  constructor(bundle) {
    this.#bundle = bundle;
  }

  /** @param {string} key @param {string} locale @param {any[]} args */
  text(key, locale, args) {
    for (const language of languages(locale)) {
      const text = this.#table(language).get(key);
      if (text !== undefined) return format(text, args);
    }
    return format(key, args);
  }

  /** @param {string} language */
  #table(language) {
    let table = this.#tables.get(language);
    if (table !== undefined) return table;
    table = new Map();
    const path = join(this.#bundle, `${language}.lproj`, "Localizable.strings");
    try {
      table = parseStrings(decode(fs.readFileSync(path)));
    } catch (error) {
      const { code, message } = /** @type {any} */ (error);
      if (code !== "ENOENT") console.error(`${path}: ${message}; its texts are not used`);
    }
    this.#tables.set(language, table);
    return table;
  }
}

/** @param {string} locale As POSIX or Apple write it: de_AT.UTF-8, zh-Hant-TW. */
function languages(locale) {
  const parts = locale.split(/[.@]/)[0].split(/[-_]/);
  const names = parts.flatMap((_, cut) => ["-", "_"].map((mark) => parts.slice(0, parts.length - cut).join(mark)));
  // A locale is not trusted as a path: it comes from the sender of the notification.
  return [...names.filter((name) => /^[\w-]+$/.test(name)), "en", "Base"];
}

/**
 * Text in UTF-8 or UTF-16, as Xcode has written such files over the years.
 * @param {Buffer} data
 */
function decode(data) {
  const isBig = (data[0] === 0xfe && data[1] === 0xff) || data[0] === 0;
  const isLittle = (data[0] === 0xff && data[1] === 0xfe) || data[1] === 0;
  const name = isBig ? "utf-16be" : isLittle ? "utf-16le" : "utf-8";
  return new TextDecoder(name, { fatal: true }).decode(data);
}

/**
 * The entries of a file of the form `"key" = "text";`, with comments as in C.
 * @param {string} text
 */
function parseStrings(text) {
  const token = /\s+|\/\/[^\n]*|\/\*[^]*?\*\/|"((?:[^"\\]|\\[^])*)"|([\p{L}\p{N}_.:/$-]+)|([=;])/uy;
  /** @type {Map<string, string>} */
  const table = new Map();
  /** @type {string[]} */
  let texts = [];
  // The parts of the entry so far: t for a text, else the mark itself.
  let shape = "";
  let position = 0;
  while (position < text.length) {
    token.lastIndex = position;
    const match = token.exec(text);
    if (match === null) break;
    const [, quoted, plain, mark] = match;
    if (quoted !== undefined || plain !== undefined) {
      texts.push(plain ?? unescape(quoted));
      shape += "t";
    } else if (mark !== undefined) {
      shape += mark;
    }
    // A key alone is its own text.
    if (mark === ";" && shape !== "t=t;" && shape !== "t;") break;
    if (mark === ";") {
      table.set(texts[0], texts[texts.length - 1]);
      texts = [];
      shape = "";
    }
    position = token.lastIndex;
  }
  if (position < text.length || shape !== "") {
    throw new Error(`line ${text.slice(0, position).split("\n").length}: an entry is "key" = "text";`);
  }
  return table;
}

/** @param {string} text */
function unescape(text) {
  /** @type {Record<string, string>} */
  const controls = { n: "\n", r: "\r", t: "\t", f: "\f", b: "\b", v: "\v", a: "\x07", 0: "\0" };
  return text.replace(/\\(?:[uU]([0-9A-Fa-f]{4})|([^]))/g, (_, code, character) =>
    code ? String.fromCharCode(parseInt(code, 16)) : (controls[character] ?? character),
  );
}

/** @param {string} text @param {any[]} args */
function format(text, args) {
  if (args.length === 0) return text;
  let next = 0;
  return text.replace(/%(?:(\d+)\$)?(?:@|s|l{0,2}[diu])|%%/g, (found, place) => {
    if (found === "%%") return "%";
    const index = place === undefined ? next++ : Number(place) - 1;
    return index < args.length ? String(args[index]) : found;
  });
}

// MARK: JSON

/** @param {any} value @returns {value is Record<string, any>} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {string} line */
function parse(line) {
  const message = JSON.parse(line);
  // A seed has up to 63 bits, which a number of JavaScript does not hold.
  if (message?.method === "activate" && Number.isInteger(message.params?.seed)) {
    const digits = /"seed":\s*(-?\d+)/.exec(line);
    if (digits !== null) message.params.seed = BigInt(digits[1]);
  }
  return message;
}

/**
 * JSON as the host can read it; an error where it could not.
 * @param {any} value
 * @returns {string}
 */
function encode(value) {
  const text = JSON.stringify(value, (_, part) => {
    if (typeof part !== "number" || (Number.isFinite(part) && !(Number.isInteger(part) && Math.abs(part) >= 2 ** 63))) {
      return part;
    }
    throw new RangeError(`the host takes finite numbers and integers of 64 bits, not ${part}`);
  });
  // Half of a surrogate pair is written as an escape; a whole pair never is.
  if (text.includes("\\ud") && /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(text)) {
    throw new RangeError("a text holds half a surrogate pair");
  }
  return text;
}

/**
 * The error of a response; a fault of the author's leaves its trace on stderr.
 * @param {any} thrown
 */
function describe(thrown) {
  const readable = (/** @type {any} */ text) => Buffer.from(String(text)).toString();
  if (thrown instanceof ExtensionError) {
    const path = thrown.path === undefined ? {} : { path: readable(thrown.path) };
    return { code: 1, message: readable(thrown.message), data: { reason: readable(thrown.reason), ...path } };
  }
  if (thrown instanceof CallError) {
    return { code: thrown.code, message: readable(thrown.message), data: { reason: thrown.reason } };
  }
  console.error(thrown);
  return { code: -32603, message: readable(thrown), data: { reason: "internalError" } };
}

/** @param {any} params @param {string} name @param {"string" | "object"} kind */
function member(params, name, kind) {
  const value = params[name];
  if (kind === "object" ? isObject(value) : typeof value === "string") return value;
  const needed = kind === "object" ? "an object" : "a string";
  throw new CallError(-32602, "invalidParams", `Invalid params: ${name} must be ${needed}`);
}
