/** One connection's requests, answers and listeners, without any input or output. */

import { MAX_LINE_BYTES, TOPICS } from "./contract.mjs";
import { HostEndedError } from "./errors.mjs";
import { Unanswered } from "./unanswered.mjs";
import { Lines, callError, encode } from "./wire.mjs";

/** The host said what is no message of the contract. */
export class Garbled extends Error {}

export class Session {
  #nextID = 1;
  #lineLimit;
  #waiting = new Map();
  #unanswered = new Unanswered();
  #lines = new Lines();
  #listeners = new Set();
  /** The topics of the last `subscribe`, beside those of the listeners. */
  #chosen = [];
  /** What every later call fails with. */
  #end = undefined;

  constructor(lineLimit = MAX_LINE_BYTES) {
    this.#lineLimit = lineLimit;
  }

  // What is sent

  /** The id and the line of a call; its outcome goes to `settle(error, result)`, once, unless it is forgotten first. */
  request(method, params, settle, { forListener = false } = {}) {
    if (this.#end) throw this.#ended(method);
    const members = method === "subscribe" && !forListener ? this.#choosing(params) : params;
    const id = this.#nextID++;
    const { line, length } = encode({ jsonrpc: "2.0", id, method, params: members }, this.#lineLimit);
    this.#waiting.set(id, { method, settle });
    this.#unanswered.sent(id, length);
    return { id, line };
  }

  /** Lets the answer of a call fall; gives the line that takes the call back, or nothing where it was answered. */
  takeBack(id) {
    if (!this.#waiting.delete(id) || this.#end) return undefined;
    return encode({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id } }).line;
  }

  // Listeners

  listen(listener) {
    if (this.#end) throw this.#ended("listen");
    this.#listeners.add(listener);
  }

  /** Ends a listener; gives the line that tells the host, where it needs to know. */
  unlisten(listener) {
    const before = this.topics.length;
    if (!this.#listeners.delete(listener)) return undefined;
    listener.end();
    if (this.#end || this.topics.length === before) return undefined;
    return encode({ jsonrpc: "2.0", method: "subscribe", params: { topics: this.topics } }).line;
  }

  /** What the host should tell now. */
  get topics() {
    const wanted = new Set(this.#chosen);
    for (const listener of this.#listeners) for (const topic of listener.topics) wanted.add(topic);
    return [...wanted];
  }

  /** A caller's choice, with what listeners need beside it. */
  #choosing(params) {
    const topics = params?.topics;
    if (!Array.isArray(topics) || !topics.every((topic) => TOPICS.includes(topic))) return params;
    this.#chosen = topics;
    return { ...params, topics: this.topics };
  }

  // What comes

  /** Settles the calls that a piece of the host's output answers, and tells the listeners. */
  receive(chunk) {
    for (const line of this.#lines.feed(chunk)) {
      const text = line.toString("utf8");
      if (text.trim() !== "") this.#take(text);
    }
  }

  #take(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      throw new Garbled(`wrote a line that is no JSON: ${excerpt(text)}`);
    }
    const isError = typeof message?.error === "object" && message.error !== null;
    if (typeof message?.method === "string") {
      for (const listener of this.#listeners) {
        if (listener.hears(message.method)) listener.hear({ topic: message.method, params: message.params });
      }
    } else if (message?.id === null && isError) {
      // It could not read one of our lines and cannot say which.
      this.#lose(this.#unanswered.refused(message.error));
    } else if (message?.id !== undefined && (isError || "result" in message)) {
      // Nobody waits for the late answer of a call that was taken back.
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      waiting?.settle(isError ? callError(waiting.method, message.error) : undefined, message.result);
      this.#lose(this.#unanswered.answered(message.id));
    } else {
      throw new Garbled(`wrote a line that is no message: ${excerpt(text)}`);
    }
  }

  #lose(lost) {
    for (const { id, error } of lost) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      waiting?.settle(callError(waiting.method, error));
    }
  }

  // The end

  /** Fails every call that waits, and each later one; listeners learn of it where it is a failure. */
  end(why, details, { isFailure }) {
    if (this.#end) return;
    this.#end = { why, details };
    for (const { method, settle } of this.#drain()) settle(this.#ended(method));
    for (const listener of this.#listeners) listener.end(isFailure ? this.#ended("listen") : undefined);
    this.#listeners.clear();
  }

  #drain() {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    return waiting;
  }

  #ended(what) {
    return new HostEndedError(what, this.#end.why, this.#end.details);
  }
}

function excerpt(text) {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
