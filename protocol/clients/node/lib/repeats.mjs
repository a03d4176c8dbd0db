/** Saves that a later host may be sent again: each has a key by which a suite knows it. */

import { randomBytes } from "node:crypto";

const SAVES = new Set(["saveCustomEvent", "saveCustomAttribute", "saveUserAttribute"]);

/** How many hosts in a row may die before they answer anything; no other one is started then. */
export const SILENT_STARTS = 3;

/** Signals that ask a host to leave; one that got them is not started again. */
const REQUESTS = new Set(["SIGHUP", "SIGINT", "SIGTERM"]);

/** The lines that are sent again if the host dies before it answers them. */
export class Repeats {
  // Keys that differ in a growing number alone cost a suite least. 72 random bits make the others' differ.
  #stem = randomBytes(9).toString("base64url");
  #count = 0;
  #calls = new Map();

  get isEmpty() {
    return this.#calls.size === 0;
  }

  has(id) {
    return this.#calls.has(id);
  }

  /** The params of a save with a key: the caller's own, else the next one. */
  keyed(params) {
    if (params?.idempotencyKey !== undefined || typeof params !== "object" || params === null) return params;
    return { ...params, idempotencyKey: `${this.#stem}.${++this.#count}` };
  }

  keep(id, call) {
    this.#calls.set(id, call);
  }

  drop(id) {
    this.#calls.delete(id);
  }

  clear() {
    this.#calls.clear();
  }

  /** The calls that were not answered, in the order in which they were sent. */
  get calls() {
    return [...this.#calls];
  }
}

export function isSave(method) {
  return SAVES.has(method);
}

/** Whether a signal ended the host that did not ask it to leave: it crashed, or was killed. */
export function wasKilled({ signal }) {
  return signal !== null && !REQUESTS.has(signal);
}
