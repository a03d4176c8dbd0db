/** Finding the call that an error without an id is about. */

import assert from "node:assert/strict";
import test from "node:test";
import { Unanswered } from "../lib/unanswered.mjs";

const UNREAD = { code: -32700, message: "no JSON", data: { reason: "parseError" } };
const TOO_LONG = { code: -32600, message: "long", data: { reason: "lineTooLong", limit: 100 } };

function sent(...lengths) {
  const calls = new Unanswered();
  for (const [index, length] of lengths.entries()) calls.sent(index + 1, length);
  return calls;
}

function* orders(ids) {
  if (ids.length === 0) yield [];
  for (const id of ids) for (const rest of orders(ids.filter((each) => each !== id))) yield [id, ...rest];
}

test("an error without an id is about the only call", () => {
  assert.deepEqual(sent(10).refused(UNREAD), [{ id: 1, error: UNREAD }]);
});

test("an error about a notification fails no call", () => {
  const calls = sent();
  assert.deepEqual(calls.refused(UNREAD), []);
  calls.sent(1, 10);
  assert.deepEqual(calls.refused(UNREAD), [{ id: 1, error: UNREAD }]);
});

test("a refused line that was too long is found by its length", () => {
  const calls = sent(10, 101, 100);
  assert.deepEqual(calls.refused(TOO_LONG), [{ id: 2, error: TOO_LONG }]);
  assert.deepEqual([calls.answered(1), calls.answered(3)], [[], []]);
});

test("the refused calls are those that remain, in any order of the answers", () => {
  for (const lost of [[1], [3], [1, 2], [1, 2, 3, 4]]) {
    for (const order of orders([1, 2, 3, 4].filter((id) => !lost.includes(id)))) {
      const calls = sent(10, 10, 10, 10);
      const found = lost.flatMap(() => calls.refused(UNREAD));
      // The error cannot be about a later call.
      calls.sent(5, 10);
      for (const id of order) {
        assert.deepEqual(found, []);
        found.push(...calls.answered(id));
      }
      assert.deepEqual(found.map(({ id }) => id), lost);
      assert.deepEqual(calls.answered(5), []);
    }
  }
});

test("a refused call that is found is no suspect of other errors", () => {
  const calls = sent(10, 101, 10);
  assert.deepEqual(calls.refused(UNREAD), []);
  assert.deepEqual(calls.refused(TOO_LONG), [{ id: 2, error: TOO_LONG }]);
  assert.deepEqual(calls.answered(3), [{ id: 1, error: UNREAD }]);
});
