/** Lines of JSON: what the host reads and writes. */

import { CallError, UnsendableError } from "./errors.mjs";
import { REASONS } from "./reasons.mjs";

/** How many levels of nesting the host accepts. */
const DEPTH = 2048;

/** Valid JSON that may be unreadable for the host: integers beyond 64 bits, half surrogate pairs, U+0000 in names. */
const SUSPICIOUS = /\d{19}|\\u(?:0000|d[89a-f])/;

/**
 * A message as a line of at most `limit` bytes without its end, and the number of these bytes.
 *
 * Throws UnsendableError if the host could not read the line, because the host's error would have no id.
 */
export function encode(message, limit = Infinity) {
  let line;
  try {
    line = JSON.stringify(message);
  } catch (error) {
    throw new UnsendableError(findUnsendable(message.params) ?? error.message, { cause: error });
  }
  if (line.length > 2 * DEPTH || SUSPICIOUS.test(line) || line.includes("null")) {
    const found = findUnsendable(message.params);
    if (found !== undefined) throw new UnsendableError(found);
  }
  const length = Buffer.byteLength(line);
  if (length > limit) {
    throw new UnsendableError(`/params makes a line of ${length} bytes; the host accepts at most ${limit}`);
  }
  return { line: line + "\n", length };
}

/** The first value that the host could not read, with its path; undefined if it can read all. */
function findUnsendable(params) {
  const waiting = [["/params", params, 2]];
  const seen = new Set();
  while (waiting.length > 0) {
    const [path, value, depth] = waiting.pop();
    const found = describeInvalid(value, depth);
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

/** Why the host could not read a value, without looking at the values in it; undefined if it can. */
function describeInvalid(value, depth) {
  switch (typeof value) {
    case "bigint":
      return "is a BigInt, which JSON does not have";
    case "number":
      if (!Number.isFinite(value)) return `is ${value}, which JSON does not have`;
      // Without a fraction or an exponent it is an integer for the host. JavaScript rounds the digits of -(2 ** 63).
      if (Math.abs(value) >= 2 ** 63 && /^-?\d+$/.test(String(value))) {
        return `is ${value}, which needs more than 64 bits`;
      }
      return undefined;
    case "string":
      return isText(value) ? undefined : "has half of a surrogate pair";
    case "object":
      return depth > DEPTH && value !== null ? `nests deeper than ${DEPTH} levels, or contains itself` : undefined;
    default:
      return undefined;
  }
}

function isText(value) {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value);
}

/** Splits a stream into lines. It works on bytes, so that a read may end within a character. */
export class Lines {
  #parts = [];

  /** Yields each line that is complete now, without its end, as bytes. */
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

/** The exception for an error object. */
export function callError(method, error) {
  const reason = error?.data?.reason;
  const kind = Object.hasOwn(REASONS, String(reason)) ? REASONS[reason] : CallError;
  return new kind(method, error);
}
