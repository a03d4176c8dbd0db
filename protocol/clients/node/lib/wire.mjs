/** Lines of JSON: what the host reads and writes. */

import { CallError, UnsendableError } from "./errors.mjs";
import { REASONS } from "./reasons.mjs";

/** How deep the host reads. */
const DEPTH = 2048;

/** What JSON has and the host cannot read: integers past 64 bits, half surrogate pairs, U+0000 in a member's name. */
const SUSPICIOUS = /\d{19}|\\u(?:0000|d[89a-f])/;

/**
 * A message as a line, which has at most `limit` bytes without its end, and how many it has.
 *
 * Throws UnsendableError for what the host could not read: its error would have no id.
 */
export function encode(message, limit = Infinity) {
  let line;
  try {
    line = JSON.stringify(message);
  } catch (error) {
    throw new UnsendableError(problem(message.params) ?? error.message, { cause: error });
  }
  if (line.length > 2 * DEPTH || SUSPICIOUS.test(line) || line.includes("null")) {
    const found = problem(message.params);
    if (found !== undefined) throw new UnsendableError(found);
  }
  const length = Buffer.byteLength(line);
  if (length > limit) {
    throw new UnsendableError(`/params makes a line of ${length} bytes; the host takes at most ${limit}`);
  }
  return { line: line + "\n", length };
}

/** The part of the params that the host could not read, with its place; undefined if it can read all. */
function problem(params) {
  const waiting = [["/params", params, 2]];
  const seen = new Set();
  while (waiting.length > 0) {
    const [path, value, depth] = waiting.pop();
    const found = flaw(value, depth);
    if (found !== undefined) return `${path.length < 200 ? path : `${path.slice(0, 200)}…`} ${found}`;
    if (typeof value !== "object" || value === null || typeof value.toJSON === "function") continue;
    for (const [name, each] of Object.entries(value)) {
      if (!isText(name) || name.includes("\0")) {
        return `${path} has a member ${JSON.stringify(name)}, whose name holds U+0000 or half of a surrogate pair`;
      }
      waiting.push([`${path}/${name}`, each, depth + 1]);
    }
  }
  return undefined;
}

/** What the host could not read about one value, what it holds left aside. */
function flaw(value, depth) {
  switch (typeof value) {
    case "bigint":
      return "is a BigInt, which JSON does not have";
    case "number":
      if (!Number.isFinite(value)) return `is ${value}, which JSON does not have`;
      // Written without a fraction or an exponent it is an integer to the host; -(2 ** 63) gets other digits here.
      if (Math.abs(value) >= 2 ** 63 && /^-?\d+$/.test(String(value))) {
        return `is ${value}, which needs more than 64 bits`;
      }
      return undefined;
    case "string":
      return isText(value) ? undefined : "has half of a surrogate pair";
    case "object":
      return depth > DEPTH && value !== null ? `nests deeper than ${DEPTH} levels, or holds itself` : undefined;
    default:
      return undefined;
  }
}

function isText(value) {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value);
}

/** Splits a stream at its line ends; a character that a read cuts in two stays whole. */
export class Lines {
  #parts = [];

  /** Gives each line that is complete now, without its end, as bytes. */
  *feed(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end);
      yield this.#parts.length > 0 ? Buffer.concat([...this.#parts.splice(0), piece]) : piece;
      start = end + 1;
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
  }
}

/** The exception of an error object. */
export function callError(method, error) {
  const reason = error?.data?.reason;
  const kind = Object.hasOwn(REASONS, String(reason)) ? REASONS[reason] : CallError;
  return new kind(method, error);
}
