/**
 * Authoring kit for content extensions of pushhost, for Node 18 or later, without dependencies.
 *
 * Copy or link this file into the bundle, beside the executable. README.md of this folder has a complete example.
 * The names are those of Apple's UNNotificationContentExtension and of ExtensionKit. A method that sends a request to
 * the host returns a promise, and every handler may be async.
 */

import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { Socket } from "node:net";
import { basename, dirname, join } from "node:path";
import { isatty } from "node:tty";

/** The action of a tap on the notification itself. */
export const defaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier";
/** The action of a swipe. The host sends it only if the category has the option `customDismissAction`. */
export const dismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier";

/**
 * What happens to a notification after a response: it stays, it is dismissed, or it is dismissed and the app is opened.
 * @typedef {"doNotDismiss" | "dismiss" | "dismissAndForwardAction"} ResponseOption
 */

/** @type {{doNotDismiss: "doNotDismiss", dismiss: "dismiss", dismissAndForwardAction: "dismissAndForwardAction"}} */
export const NotificationContentExtensionResponseOption = Object.freeze({
  doNotDismiss: "doNotDismiss",
  dismiss: "dismiss",
  dismissAndForwardAction: "dismissAndForwardAction",
});

/**
 * A button of the notification. If there is a `textInput`, the response has `userText`.
 * @typedef {object} NotificationAction
 * @property {string} identifier
 * @property {string} title
 * @property {("authenticationRequired" | "destructive" | "foreground")[]} [options]
 * @property {{buttonTitle?: string, placeholder?: string}} [textInput]
 */

/**
 * The system's button that plays and pauses media. The frame is in points. The client that draws the button uses
 * `tintColor`.
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
 * @property {"compact" | "regular"} [request.verticalSizeClass] Absent if the sender gave none.
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

/**
 * An error with which an extension refuses a call; the caller receives it unchanged. The kit also throws it if the host
 * refuses a request.
 */
export class ExtensionError extends Error {
  /**
   * @param {string} reason A stable word for programs.
   * @param {string} message A sentence for people: what is wrong and what is needed.
   * @param {string} [path] A JSON Pointer to the invalid value in the request, if there is one.
   */
  constructor(reason, message, path) {
    super(message);
    this.name = "ExtensionError";
    this.reason = reason;
    this.path = path;
  }
}

/**
 * The payload's members, with methods whose errors name the key, its value and the expected type. The dashboard sends
 * all key-value pairs as strings, even numbers.
 */
export class UserInfo {
  /** @param {Record<string, any>} json The members as the host sent them, of any type. */
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
   * A required string.
   * @param {string} key
   * @returns {string}
   */
  string(key) {
    const text = this.optionalString(key);
    if (text === undefined) throw this.wrong(key, "a string");
    return text;
  }

  /**
   * A string, or undefined if the key is absent.
   * @param {string} key
   * @returns {string | undefined}
   */
  optionalString(key) {
    const value = this.get(key);
    if (value !== undefined && typeof value !== "string") throw this.wrong(key, "a string");
    return value;
  }

  /**
   * The integer that a string spells, from `minimum` to `maximum`.
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
   * The error for a missing or invalid member; `needed` says what is expected, with its article.
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

/** Creates the nodes of a view. A touch names the id of a node, so the ids in a view must be unique. */
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
   * id, and with the number of the page as value. It changes nothing until the extension shows that page.
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
   * A picture; `alt` describes it for people who do not see it.
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
   * A button.
   * @param {string} title
   * @param {{id: string}} of
   */
  button: (title, { id }) => node("button", id, { title }),
  /**
   * A text field.
   * @param {{id: string, value?: string, placeholder?: string}} of
   */
  field: ({ id, value = "", placeholder = "" }) => node("field", id, { value, placeholder }),
  /**
   * A progress bar: `value` of `total` is done.
   * @param {number} value
   * @param {number} total
   * @param {{id?: string}} [of]
   */
  progress: (value, total, of) => node("progress", of?.id, { value, total }),
});

/** The random numbers of one presentation. They depend only on the seed, if there is one, and the notification. */
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
   * The next 64-bit number (SplitMix64).
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
   * A number from 0 to `bound` - 1, all equally likely.
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
   * A number from 0 to 1, without 1.
   * @returns {number}
   */
  random() {
    return Number(this.next() >> 11n) / 2 ** 53;
  }

  /**
   * One of the elements, all equally likely.
   * @template T
   * @param {T[]} elements
   * @returns {T}
   */
  choice(elements) {
    return elements[this.below(elements.length)];
  }

  /**
   * Shuffles an array in place.
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
 * The interface of one presentation to the host: Apple's NSExtensionContext and the suite of Braze's guide in one.
 *
 * A value that is set during a call is sent with the answer, and is reset if the call fails. A view or actions that are
 * set between calls, for example by a timer, are shown at once.
 */
export class ExtensionContext {
  /**
   * The presentation's random numbers; with `--seed` the same in each run.
   * @type {PresentationRandom}
   */
  random;
  /**
   * The locale of the latest notification, or of the host if the notification has none.
   * @type {string}
   */
  locale;
  /**
   * The URL that the app opens if the current response forwards; reset after the call.
   * @type {string | undefined}
   */
  applicationURL;

  /**
   * The texts for the locale by key, as the host sent them.
   * @type {Record<string, any>}
   */
  _texts;
  #notification;
  #host;
  /** @type {Record<string, any>} */
  #values = { actions: Object.freeze([]) };
  /**
   * The names of the values that were set since the last answer.
   * @type {Set<string>}
   */
  #set = new Set();
  // What the host shows, as JSON, to detect a change inside the view and to undo the changes of a failed call.
  /** @type {Record<string, string>} */
  #shown = {};
  // The context is created during the first call about its notification.
  #isInCall = true;
  // The completion of the last response, which may still be called a second time, after completions whose diagnostics
  // are not yet sent.
  /** @type {Completion[]} */
  #completions = [];
  /** @type {{reason: string, message: string}[]} */
  #diagnostics = [];

  /**
   * The kit creates the contexts.
   * @param {string} notification
   * @param {Host} host
   */
  constructor(notification, host) {
    this.#notification = notification;
    this.#host = host;
    this.random = new PresentationRandom(host.seed, notification);
    this.locale = host.locale;
    this._texts = host.texts;
  }

  /**
   * The view that the host shows; it stays until it is set again.
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
   * The buttons; initially those that the host sent with the notification.
   * @returns {readonly NotificationAction[]}
   */
  get notificationActions() {
    return this.#values.actions;
  }

  set notificationActions(actions) {
    this.#change("actions", Object.freeze([...actions]), "setNotificationActions");
  }

  /**
   * The title that replaces the notification's title. The host shows it only if the Info.plist sets
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
   * The system's button that plays and pauses media; undefined until it is set.
   * @returns {MediaButton | undefined}
   */
  get media() {
    return this.#values.media;
  }

  set media(media) {
    this.#change("media", media);
  }

  /**
   * The time; with `--clock` the same in each run.
   * @returns {Date}
   */
  get now() {
    return this.#host.now();
  }

  /**
   * The text of a key in the bundle's table Localizable, with `%@` and `%1$@` replaced by the arguments. The host chooses
   * the language by the notification's locale, and sends the texts; of a plural, the number in an argument chooses the
   * form. If no text has the key, the text is the key.
   * @param {string} key
   * @param {...any} args
   * @returns {string}
   */
  localized(key, ...args) {
    return Object.hasOwn(this._texts, key) ? localize(this._texts[key], args) : key;
  }

  /**
   * Reports in the reply to the client what was left out or changed although the call succeeded. If the call throws an
   * error, the diagnostic is dropped.
   * @param {string} reason A stable word for programs.
   * @param {string} message One sentence for people.
   */
  addDiagnostic(reason, message) {
    this.#diagnostics.push({ reason, message });
  }

  /**
   * Saves a custom event; once the promise is resolved, the event survives a power loss.
   * @param {string} name
   * @param {Record<string, any>} [properties]
   * @returns {Promise<void>} Rejected with an ExtensionError if the event is not stored.
   */
  async saveCustomEvent(name, properties) {
    await this.#request("saveCustomEvent", { name, ...(properties === undefined ? {} : { properties }) });
  }

  /**
   * Saves a custom attribute; null removes it from the profile.
   * @param {string} key
   * @param {any} value
   * @param {boolean} [merge] Whether an object is merged into the current one instead of replacing it.
   */
  async saveCustomAttribute(key, value, merge = false) {
    await this.#request("saveCustomAttribute", { key, value: merge ? { $merge: value } : value });
  }

  /**
   * Saves a standard field of the user's profile, such as `email`.
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
   * The value of a key in the extension's suite, or null if the key has no value.
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
   * Opens the app as if the notification was tapped, and dismisses the notification.
   * @param {string} [url] An absolute URL that the app opens.
   */
  async performNotificationDefaultAction(url) {
    await this.#request("performNotificationDefaultAction", given({ url }));
  }

  /** Dismisses the notification. */
  async dismissNotificationContentExtension() {
    await this.#request("dismissNotificationContentExtension", {});
  }

  /** Reports that media started to play, unless the media button started it. */
  async mediaPlayingStarted() {
    await this.#request("mediaPlayingStarted", {});
  }

  /** Reports that media stopped playing, unless the media button stopped it. */
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
   * Sets the buttons that the host sent, before the author's code runs.
   * @internal
   * @param {NotificationAction[]} actions
   */
  _setOfferedActions(actions) {
    this.#values.actions = Object.freeze(actions);
    this.#shown.actions = encode(actions);
  }

  /** @internal @param {Completion} completion */
  _addCompletion(completion) {
    this.#completions.push(completion);
  }

  /**
   * Runs the author's code and returns what it changed; if it throws, all its changes are reset.
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
    let added;
    try {
      Object.assign(result, await body());
      for (const [name, value] of Object.entries(this.#values)) {
        if (value !== undefined) shown[name] = encode(value);
      }
    } catch (error) {
      // Restored from the JSON, because the author may have changed the object itself.
      before.view = this.#shown.view === undefined ? undefined : JSON.parse(this.#shown.view);
      this.#values = before;
      throw error;
    } finally {
      set = this.#set;
      this.#set = new Set();
      this.#isInCall = false;
      this.applicationURL = undefined;
      added = this.#diagnostics;
      this.#diagnostics = [];
    }
    for (const [name, text] of Object.entries(shown)) {
      const isChanged = (name in this.#shown || name === "view") && this.#shown[name] !== text;
      if (set.has(name) || isChanged) result[name] = this.#values[name];
    }
    this.#shown = shown;
    const diagnostics = [...this.#completions.flatMap((completion) => completion.drainDiagnostics()), ...added];
    this.#completions = this.#completions.slice(-1);
    if (diagnostics.length > 0) result.diagnostics = diagnostics;
    return result;
  }
}

/**
 * The base class of a content extension. Each presentation has one object of the subclass.
 *
 * A subclass may also have `didReceiveResponse(response, completion)`, `interact(interaction)`, `mediaPlay()`,
 * `mediaPause()` and `didDismiss()`. Without `didReceiveResponse`, responses go to the app. Without `interact`,
 * `mediaPlay` or `mediaPause`, the calls of that method are refused. Call the completion exactly once, with a
 * ResponseOption. An ExtensionError refuses the call, and what was shown stays.
 */
export class NotificationContentExtension {
  /**
   * The lowest version of the contract that the extension needs; an older host refuses it. `row`, `carousel`, and the
   * style, alignment and alt of nodes came with 1.1.
   */
  static contractVersion = "1.0";

  /** @param {ExtensionContext} context */
  constructor(context) {
    this.context = context;
  }

  /**
   * Called for the notification, and again for each later notification of the same thread.
   * @param {Notification} notification
   * @returns {void | Promise<void>}
   */
  didReceive(notification) {
    throw new Error(`${this.constructor.name} needs didReceive(notification)`);
  }
}

/**
 * Serves the host on stdin and stdout, until the host no longer needs the process.
 *
 * Descriptor 1 is redirected to stderr, so that nothing that console.log, process.stdout or a child process writes
 * reaches the host, and descriptor 0 to an empty input.
 *
 * @param {new (context: ExtensionContext) => NotificationContentExtension} extension
 * @param {{completionLimit?: number}} [options] How many seconds the kit waits for a response's completion after its
 *   handler returned; by default 5.
 */
export function main(extension, options) {
  if (isatty(0)) {
    console.error(`${basename(process.argv[1])} is an extension that pushhost starts: pushhost --plugins <bundle>`);
    process.exit(1);
  }
  new Main(extension, options?.completionLimit ?? 5);
}

// MARK: The process

/** The completion of a response, which may be called at any time. */
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

  /** Diagnostics of the author's mistakes since the last call; each mistake is reported once. */
  drainDiagnostics() {
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

/** An error for a call that reaches no handler. */
class CallError extends Error {
  /** @param {number} code @param {string} reason @param {string} message */
  constructor(code, reason, message) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** An extension's process: passes each call of the host, one after the other, to the object of its presentation. */
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
      earlier = earlier.then(() => this.#answer(call));
    });
    // An unhandled rejection must not end the process, which serves other presentations too.
    for (const event of ["uncaughtException", "unhandledRejection"]) {
      process.on(event, (/** @type {unknown} */ error) => console.error(error));
    }
  }

  /** @param {any} call A call, or null at the end of the input. */
  async #answer(call) {
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
    // A host with an older version of the contract does not send the buttons.
    if (Array.isArray(params.actions)) context._setOfferedActions(params.actions);
    const { locale, _texts } = context;
    context.locale = request.locale || this.#host.locale;
    // Present if they differ from those for the host's locale; a host before version 1.2 sends none.
    context._texts = params.texts ?? this.#host.texts;
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
      // Reached only if the call succeeded: a refused notification is not shown, so its object is dropped.
      this.#presentations.set(identifier, presentation);
      return result;
    } catch (error) {
      Object.assign(context, { locale, _texts });
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
      context._addCompletion(completion);
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

/** The connection to the host: stdin and stdout as they were before the kit redirected them. */
class Host {
  locale = "en";
  /** @type {bigint | undefined} */
  seed;
  /** @type {Record<string, any>} */
  texts = {};
  /** @type {number | undefined} */
  #clock;
  #output;
  #lastId = 0;
  /**
   * The function to call with the answer to each request; undefined after the end of the input.
   * @type {Map<number, (message: any) => void> | undefined}
   */
  #waiting = new Map();
  #onCall;

  /** @param {(call: any) => void} onCall Receives each call, then null at the end of the input. */
  constructor(onCall) {
    this.#onCall = onCall;
    const { input, output } = wire ?? takeOverStandardStreams();
    this.#output = output;
    // Ends a line that may have been started before the redirection.
    this.write("\n");
    const isFile = fs.fstatSync(input).isFile();
    const stream = isFile ? fs.createReadStream("", { fd: input }) : new Socket({ fd: input, readable: true });
    let rest = "";
    stream.setEncoding("utf8");
    stream.on("data", (/** @type {string} */ chunk) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#receive(line);
    });
    stream.on("error", () => stream.destroy());
    stream.on("close", () => {
      this.#receive(rest);
      const waiting = this.#waiting ?? new Map();
      this.#waiting = undefined;
      for (const answered of waiting.values()) answered(undefined);
      onCall(null);
    });
  }

  /** @param {any} params */
  activate(params) {
    this.locale = params.locale ?? this.locale;
    this.texts = params.texts ?? {};
    this.seed = params.seed === undefined ? undefined : BigInt(params.seed);
    this.#clock = params.clock === undefined ? undefined : Date.parse(params.clock);
  }

  now() {
    return new Date(this.#clock === undefined ? Date.now() : this.#clock++);
  }

  /**
   * Sends a request to the host and waits for the answer.
   * @param {string} method
   * @param {any} params
   * @returns {Promise<any>}
   */
  async request(method, params) {
    const id = ++this.#lastId;
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
      // If the host has exited, the end of the input follows.
      if (/** @type {any} */ (error).code !== "EPIPE") throw error;
    }
  }

  /** @param {string} line */
  #receive(line) {
    if (line.trim() === "") return;
    let message;
    try {
      message = parse(line);
    } catch (error) {
      return this.#writeError(-32700, "parseError", `Parse error: ${/** @type {Error} */ (error).message}`);
    }
    if (isObject(message) && typeof message.method === "string") return this.#onCall(message);
    if (!isObject(message) || "method" in message) {
      return this.#writeError(-32600, "invalidRequest", "Invalid Request: a message is an object with a method");
    }
    const answered = this.#waiting?.get(message.id);
    this.#waiting?.delete(message.id);
    answered?.(message);
  }

  /** @param {number} code @param {string} reason @param {string} message */
  #writeError(code, reason, message) {
    this.write(encode({ jsonrpc: "2.0", id: null, error: { code, message, data: { reason } } }) + "\n");
  }
}

/** Redirects descriptors 0 and 1; returns copies of the old ones, which no child process inherits. */
function takeOverStandardStreams() {
  // Opened by name, because Node cannot duplicate a descriptor.
  const input = reopen(0, fs.constants.O_RDONLY);
  const output = reopen(1, fs.constants.O_WRONLY);
  redirect(0, "/dev/null", fs.constants.O_RDONLY);
  redirect(1, "/dev/fd/2", fs.constants.O_WRONLY | fs.constants.O_APPEND);
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
 * Redirects a descriptor to a file. It closes the descriptor first: a file that is opened gets the lowest free one.
 * @param {number} descriptor
 * @param {string} path
 * @param {number} flags
 */
function redirect(descriptor, path, flags) {
  fs.closeSync(descriptor);
  let opened;
  try {
    opened = fs.openSync(path, flags);
  } catch {
    opened = fs.openSync("/dev/null", fs.constants.O_RDWR); // The process has no stderr.
  }
  if (opened !== descriptor) throw new Error(`descriptor ${descriptor} was reused before the kit could redirect it`);
}

/** Whether this process runs the executable of a bundle, not a test of its modules. */
function runsBundle() {
  try {
    const program = fs.realpathSync(process.argv[1]);
    return !isatty(0) && fs.readFileSync(join(dirname(program), "Info.plist")).includes(basename(program));
  } catch {
    return false;
  }
}

// Redirected at import, so that what other modules print while they are loaded does not reach the host either.
const wire = runsBundle() ? takeOverStandardStreams() : undefined;

// MARK: Localisation

/**
 * Fills a text of the bundle; of one with several forms, that which the number in an argument chooses.
 * @param {any} text
 * @param {any[]} args
 * @returns {string}
 */
function localize(text, args) {
  if (typeof text === "string") return format(text, args);
  const [, digits] = /^-?(\d{1,18})$/.exec(String(args[text.argument - 1])) ?? [];
  // The numbers of the forms are below 200; a greater number has the form of one with the same last two digits.
  const number = Number(digits) < 200 ? Number(digits) : 100 + Number(digits?.slice(-2));
  return localize(text.cases.find((/** @type {any} */ each) => each.numbers.includes(number))?.text ?? text.other, args);
}

/**
 * Replaces placeholders with the syntax of printf(3). All arguments are texts, so each stands for a text.
 * @param {string} text
 * @param {any[]} args
 */
function format(text, args) {
  let next = 0;
  const placeholder = /%%|%(?:(0*[1-9][0-9]*)\$)?[-+ #0']*[0-9]*(?:\.[0-9]*)?[hlqLztj]*[@dDiuUxXoOfFeEgGaAcCsSp]/g;
  return text.replace(placeholder, (found, place) => {
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
  // A seed has up to 63 bits, more than a number in JavaScript represents exactly.
  if (message?.method === "activate" && Number.isInteger(message.params?.seed)) {
    const digits = /"seed":\s*(-?\d+)/.exec(line);
    if (digits !== null) message.params.seed = BigInt(digits[1]);
  }
  return message;
}

/**
 * Encodes a value as JSON; throws an error for a value that the host cannot read.
 * @param {any} value
 * @returns {string}
 */
function encode(value) {
  const text = JSON.stringify(value, (_, part) => {
    if (typeof part !== "number" || (Number.isFinite(part) && !(Number.isInteger(part) && Math.abs(part) >= 2 ** 63))) {
      return part;
    }
    throw new RangeError(`the host accepts finite numbers and integers of 64 bits, not ${part}`);
  });
  // Half of a surrogate pair is written as an escape; a whole pair never is.
  if (text.includes("\\ud") && /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(text)) {
    throw new RangeError("a string contains half a surrogate pair");
  }
  return text;
}

/**
 * The error object for what was thrown; the stack trace of an unexpected error is written to stderr.
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
