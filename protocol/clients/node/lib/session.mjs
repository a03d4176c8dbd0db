/** One connection's requests, answers and listeners, without any input or output. */

import { MAX_LINE_BYTES, TOPICS } from "./contract.mjs";
import { HostEndedError } from "./errors.mjs";
import { Repeats, SILENT_STARTS, isSave } from "./repeats.mjs";
import { Unanswered } from "./unanswered.mjs";
import { Lines, callError, encode } from "./wire.mjs";

/** The host sent something that is not a message of the contract. */
export class ProtocolError extends Error {}

export class Session {
  #nextID = 1;
  #lineLimit;
  #waiting = new Map();
  #unanswered = new Unanswered();
  /** The calls to repeat for the next host; undefined without restarts. */
  #repeats;
  /** Whether the host is gone and the next one is being started. */
  #isBetween = false;
  /** Whether the host has answered anything, and how many before it, in a row, had not. */
  #hasAnswered = false;
  #silent = 0;
  #lines = new Lines();
  #listeners = new Set();
  /** The topics of the caller's last `subscribe`, in addition to those of the listeners. */
  #chosen = [];
  /** The error with which every later call fails. */
  #end = undefined;

  constructor(lineLimit = MAX_LINE_BYTES, { restarts = false } = {}) {
    this.#lineLimit = lineLimit;
    if (restarts) this.#repeats = new Repeats();
  }

  // Requests

  /** The id and the line of a call; its outcome goes to `settle(error, result)`, once, unless it is forgotten first. */
  request(method, params, settle, { forListener = false } = {}) {
    if (this.#end) throw this.#ended(method);
    const repeats = this.#isBetween || isSave(method) ? this.#repeats : undefined;
    let members = method === "subscribe" && !forListener ? this.#withListenerTopics(params) : params;
    // While the next host is being started, the call is kept; that host then gets the call and its cancellation.
    if (method === "$/cancelRequest" && !this.#isBetween) this.#repeats?.drop(params?.id);
    if (repeats !== undefined && isSave(method)) members = repeats.withKey(members);
    const id = this.#nextID++;
    const { line, length } = encode({ jsonrpc: "2.0", id, method, params: members }, this.#lineLimit);
    this.#waiting.set(id, { method, settle });
    this.#unanswered.sent(id, length);
    repeats?.keep(id, { method, line, length });
    return { id, line };
  }

  /** The line of a message that is not answered. */
  notification(method, params) {
    if (this.#end) throw this.#ended(method);
    return encode({ jsonrpc: "2.0", method, params }, this.#lineLimit).line;
  }

  /** Stops waiting for a call; returns the line that cancels it, or undefined if it was answered. */
  cancel(id) {
    if (this.#settled(id) === undefined || this.#end) return undefined;
    return encode({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id } }).line;
  }

  // Listeners

  listen(listener) {
    if (this.#end) throw this.#ended("listen");
    this.#listeners.add(listener);
  }

  /** Removes a listener; returns the line that updates the subscription, if it changes. */
  unlisten(listener) {
    const before = this.topics.length;
    if (!this.#listeners.delete(listener)) return undefined;
    listener.end();
    if (this.#end || this.topics.length === before) return undefined;
    return encode({ jsonrpc: "2.0", method: "subscribe", params: { topics: this.topics } }).line;
  }

  /** The topics to subscribe to. */
  get topics() {
    const wanted = new Set(this.#chosen);
    for (const listener of this.#listeners) for (const topic of listener.topics) wanted.add(topic);
    return [...wanted];
  }

  /** The params of a caller's `subscribe`, with the topics of listeners added. */
  #withListenerTopics(params) {
    const topics = params?.topics;
    if (!Array.isArray(topics) || !topics.every((topic) => TOPICS.includes(topic))) return params;
    this.#chosen = topics;
    return { ...params, topics: this.topics };
  }

  // Received messages

  /** Handles a piece of the host's output: settles calls and notifies listeners. */
  receive(chunk) {
    for (const line of this.#lines.feed(chunk)) {
      const text = line.toString("utf8");
      if (text.trim() !== "") this.#handle(text);
    }
  }

  #handle(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      throw new ProtocolError(`wrote a line that is not JSON: ${excerpt(text)}`);
    }
    const isError = typeof message?.error === "object" && message.error !== null;
    if (typeof message?.method === "string") {
      for (const listener of this.#listeners) {
        if (listener.accepts(message.method)) listener.receive({ topic: message.method, params: message.params });
      }
    } else if (message?.id === null && isError) {
      // The host could not read one of our lines, and cannot say which.
      this.#lose(this.#unanswered.refused(message.error));
    } else if (message?.id !== undefined && (isError || "result" in message)) {
      // The late answer of a cancelled call is ignored.
      this.#hasAnswered = true;
      const waiting = this.#settled(message.id);
      waiting?.settle(isError ? callError(waiting.method, message.error) : undefined, message.result);
      this.#lose(this.#unanswered.answered(message.id));
    } else {
      throw new ProtocolError(`wrote a line that is not a message: ${excerpt(text)}`);
    }
  }

  #lose(lost) {
    for (const { id, error } of lost) {
      const waiting = this.#settled(id);
      waiting?.settle(callError(waiting.method, error));
    }
  }

  /** Removes and returns a call that waits for an answer, if it still waits. */
  #settled(id) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#repeats?.drop(id);
    return waiting;
  }

  // The end

  /** Fails every waiting and every later call; listeners get the error if it is a failure. */
  end(why, details, { isFailure }) {
    if (this.#end) return;
    const advice = details.status === 0 && !this.#hasAnswered ? "; it answered nothing: is the program pushhost?" : "";
    this.#end = { why: why + advice, details };
    this.#isBetween = false;
    this.#repeats?.clear();
    for (const { method, settle } of this.#drain()) settle(this.#ended(method));
    for (const listener of this.#listeners) listener.end(isFailure ? this.#ended("listen") : undefined);
    this.#listeners.clear();
  }

  /** Whether to start another host: this one answered something, or few in a row have not. */
  get mayStartAgain() {
    return this.#hasAnswered || this.#silent + 1 < SILENT_STARTS;
  }

  /** Whether there is anything to repeat for the next host. */
  get hasRepeats() {
    return this.#repeats !== undefined && !this.#repeats.isEmpty;
  }

  /**
   * Called when the host died and the next one is being started.
   *
   * Calls that must not be sent again fail, and listeners end, because the next host knows nothing of this host's
   * notifications. Calls that are made in the meantime are kept for the next host.
   */
  pause(why, details) {
    const lost = [...this.#waiting].filter(([id]) => !this.#repeats.has(id));
    for (const [id] of lost) this.#waiting.delete(id);
    this.#unanswered = new Unanswered();
    this.#lines = new Lines();
    this.#chosen = [];
    this.#isBetween = true;
    this.#silent = this.#hasAnswered ? 0 : this.#silent + 1;
    this.#hasAnswered = false;
    this.#end = undefined;
    for (const [, { method, settle }] of lost) settle(new HostEndedError(method, why, details));
    for (const listener of this.#listeners) listener.end(new HostEndedError("listen", why, details));
    this.#listeners.clear();
  }

  /** Called when the next host runs; returns the lines to send to it first. */
  resume() {
    this.#isBetween = false;
    const calls = this.#repeats.calls;
    for (const [id, { method, length }] of calls) {
      this.#unanswered.sent(id, length);
      if (!isSave(method)) this.#repeats.drop(id);
    }
    return calls.map(([, { line }]) => line);
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
