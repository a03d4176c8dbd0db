/** Saves that are sent again to the next host; each has an idempotency key, by which the suite recognizes it. */

import { randomBytes } from "node:crypto";

const SAVES = new Set(["saveCustomEvent", "saveCustomAttribute", "saveUserAttribute"]);

/** After this many hosts in a row that answered nothing, no other host is started. */
export const SILENT_STARTS = 3;

/** Signals that ask a host to stop; a host that they ended is not started again. */
const REQUESTS = new Set(["SIGHUP", "SIGINT", "SIGTERM"]);

/** The lines that are sent again if the host dies before it answers them. */
export class Repeats {
  // Keys that differ only in a growing number cost a suite least. The 72 random bits differ for each client.
  #stem = randomBytes(9).toString("base64url");
  #count = 0;
  #calls = new Map();

  get isEmpty() {
    return this.#calls.size === 0;
  }

  has(id) {
    return this.#calls.has(id);
  }

  /** The params of a save with an idempotency key: the caller's, or a new one. */
  withKey(params) {
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

/** Whether the host crashed or was killed, that is, a signal ended it that does not ask a host to stop. */
export function wasKilled({ signal }) {
  return signal !== null && !REQUESTS.has(signal);
}
