/** Calls, errors, deadlines and cancellation. */

import assert from "node:assert/strict";
import test from "node:test";
import {
  CONTRACT_VERSION, CallError, DeadlineExceededError, Host, HostEndedError, LineTooLongError, MethodNotFoundError,
  MissingParamError, RequestCancelledError, UnknownNotificationError, UnknownParamError, UnsendableError,
} from "pushhost";
import { PAYLOAD, PLUGINS, said, start, startScript, wrapped } from "./support.mjs";

/** Waits until no call is in flight; forever if the call was not cancelled at the host. */
async function untilIdle(host) {
  while ((await host.status()).requestsInFlight > 0);
}

/** A host whose extension may hang for any time. */
const PATIENT = { arguments: ["--call-deadline", "600000"] };

test("calls have the names of the contract", async (t) => {
  const host = await start(t);
  assert.deepEqual(await host.ping(), { version: CONTRACT_VERSION });
  const shown = await host.didReceive({ payload: PAYLOAD, identifier: "one", locale: "de" });
  assert.equal(shown.extension, "com.example.clients.echo");
  assert.deepEqual((await host.notifications()).notifications.map((each) => each.notification), [shown.notification]);
  assert.deepEqual(await host.dismiss({ notification: shown.notification }), { dismissed: true });
  assert.deepEqual(await host.saveCustomEvent({ name: "Seen", properties: { n: 1 } }), { id: 1 });
  assert.equal((await host.pending({ kind: "customEvent" })).records[0].name, "Seen");
  assert.equal((await host.rpcDiscover()).info.version, CONTRACT_VERSION);
  assert.deepEqual(await host.cancelRequest({ id: 77 }), { cancelled: false });
  assert.deepEqual(await host.call("pending", { limit: 1 }), await host.pending({ limit: 1 }));
  assert.equal(await host.shutdown(), null);
  assert.deepEqual(await host.close(), { status: 0, signal: null });
});

test("a banner runs its extension only once it is expanded", async (t) => {
  const host = await start(t);
  const starts = async () => (await host.extensions()).extensions.map((each) => each.starts);
  const banner = await host.didReceive({ payload: PAYLOAD, expand: false });
  assert.equal(banner.expanded, false);
  const actionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier";
  const response = await host.didReceiveResponse({ notification: banner.notification, actionIdentifier });
  assert.deepEqual([response.option, response.forwarded], ["dismissAndForward", true]);
  assert.deepEqual([await starts(), (await host.pending()).records], [[0], []]);
  const { notification } = await host.didReceive({ payload: PAYLOAD, expand: false });
  assert.equal((await host.expand({ notification })).view.children.length, 4);
  assert.deepEqual(await starts(), [1]);
});

test("undefined is absent, null is null", async (t) => {
  const host = await start(t);
  const { notification } = await host.didReceive({ payload: PAYLOAD, identifier: undefined });
  for (const value of [null, 1, 1.5, true, "", [], { a: null }]) {
    const { view } = await host.interact({ notification, element: "echo", value });
    assert.deepEqual(said(view), value);
  }
  await host.store({ key: "null", value: null });
  assert.deepEqual(await host.retrieve({ key: "null" }), { value: null });
  await assert.rejects(host.store({ key: "null", value: undefined }), MissingParamError);
});

test("each reason has an error class and a path", async (t) => {
  const host = await start(t);
  const error = await host.dismiss({ notification: "nobody" }).catch((error) => error);
  assert.ok(error instanceof UnknownNotificationError && error instanceof CallError);
  const { name, code, reason, path, method, data } = error;
  assert.deepEqual(
    { name, code, reason, path, method },
    {
      name: "UnknownNotificationError", code: 110, reason: "unknownNotification", path: "/params/notification",
      method: "dismiss",
    },
  );
  assert.equal(data.reason, reason);
  assert.match(error.message, /nobody/);
  await assert.rejects(host.call("ping", { echo: 1 }), (error) => {
    return error instanceof UnknownParamError && error.path === "/params/echo";
  });
  await assert.rejects(host.call("nothing"), (error) => {
    return error instanceof MethodNotFoundError && error.message.includes(`version ${CONTRACT_VERSION} of the contract`);
  });
});

test("the text of an error ends with the stderr of the extension", async (t) => {
  const host = await start(t);
  const { notification } = await host.didReceive({ payload: PAYLOAD });
  const error = await host.interact({ notification, element: "exit" }).catch((error) => error);
  assert.match(error.message, /; the extension's stderr ends:\nthe extension leaves$/);
  await assert.rejects(host.dismiss({ notification: "nobody" }), (error) => !error.message.includes("stderr"));
});

test("an option that does not exist is refused with those that do, and a host is only made by start", async (t) => {
  const host = await start(t);
  const refused = (call, text) => assert.rejects(call, (error) => error instanceof TypeError && error.message === text);
  const others = "program, plugins, arguments, env, cwd, restart, deadline, log, data, suite, clock, seed, locale";
  await refused(Host.start({ plugin: PLUGINS }), `there is no option plugin; the options are ${others}`);
  await refused(host.ping({}, { timeout: 1 }), "there is no option timeout; the options are deadline, signal");
  await refused(host.close({ deadline: 1 }), "there is no option deadline; the options are grace");
  assert.deepEqual(await host.ping({}, { deadline: undefined }), { version: CONTRACT_VERSION });
  assert.throws(() => new Host({}), { name: "TypeError", message: "a host is started with await Host.start(options)" });
});

test("texts of all kinds come back unchanged", async (t) => {
  const host = await start(t);
  const text = 'Grüße 😀 \u2028\u2029 \0\x7f \ufeff "\\/\n\r 漢字';
  await host.store({ key: "text 😀", value: [text] });
  assert.deepEqual(await host.retrieve({ key: "text 😀" }), { value: [text] });
  const { notification } = await host.didReceive({ payload: PAYLOAD });
  assert.equal(said((await host.interact({ notification, element: "echo", value: text })).view), text);
});

test("large values come back unchanged", async (t) => {
  const host = await start(t);
  const value = Array.from({ length: 150 }, () => "0123456789abcdef".repeat(4096));
  await host.store({ key: "big", value });
  assert.deepEqual((await host.retrieve({ key: "big" })).value, value);
});

test("values that the host cannot read are not sent", async (t) => {
  const host = await start(t);
  let deep = 1;
  for (let level = 0; level < 3000; level++) deep = [deep];
  const round = {};
  round.again = round;
  const cases = [
    [{ a: [NaN] }, /\/params\/value\/a\/0 is NaN/], [2 ** 63, /needs more than 64 bits/],
    [-(2 ** 63), /needs more than 64 bits/],
    ["\ud800", /half of a surrogate pair/], [{ "a\0": 1 }, /U\+0000/], [1n, /BigInt/], [deep, /nests deeper/],
    [round, /contains itself/],
  ];
  for (const [value, message] of cases) {
    await assert.rejects(host.store({ key: "a", value }), (error) => {
      return error instanceof UnsendableError && message.test(error.message);
    });
  }
  const value = [2 ** 53, 2 ** 63 - 1024, -(2 ** 62), 1e300, "1234567890123456789012", "\0", "😀"];
  await host.store({ key: "a", value });
  assert.deepEqual((await host.retrieve({ key: "a" })).value, value);
});

test("a line that is too long is not sent and does not affect other calls", async (t) => {
  const cases = [
    [16 << 20, []], [100_000, ["--line-limit", "100000"]], [200_000, ["--line-limit", "9", "--line-limit=200000"]],
  ];
  for (const [limit, words] of cases) {
    const host = await start(t, { arguments: words });
    const save = () => host.saveCustomEvent({ name: "around" });
    const calls = Array.from({ length: 50 }, save);
    await assert.rejects(host.store({ key: "a", value: "é".repeat(limit / 2) }), (error) => {
      return error instanceof UnsendableError && error.message.endsWith(`bytes; the host accepts at most ${limit}`);
    });
    calls.push(...Array.from({ length: 50 }, save));
    assert.deepEqual((await Promise.all(calls)).map(({ id }) => id), calls.map((_, index) => index + 1));
    const room = limit - '{"jsonrpc":"2.0","id":102,"method":"store","params":{"key":"a","value":""}}'.length;
    assert.deepEqual(await host.store({ key: "a", value: "x".repeat(room) }), { stored: true });
    await assert.rejects(host.store({ key: "a", value: "x".repeat(room + 1) }), UnsendableError);
  }
});

test("an error without an id fails only the call that it is about", async (t) => {
  // The client does not know this limit.
  const program = wrapped(t, 'exec "$PUSHHOST" --line-limit 100000 "$@"');
  const host = await start(t, { ...PATIENT, program });
  const { notification } = await host.didReceive({ payload: PAYLOAD });
  const controller = new AbortController();
  const hanging = host.interact({ notification, element: "hang" }, { signal: controller.signal });
  const save = () => host.saveCustomEvent({ name: "around" });
  const calls = Array.from({ length: 50 }, save);
  const big = [1, 2].map(() => host.store({ key: "a", value: "x".repeat(200_000) }));
  const outcomes = Promise.allSettled(big);
  calls.push(...Array.from({ length: 50 }, save));
  for (const { reason } of await outcomes) {
    assert.ok(reason instanceof LineTooLongError && reason.method === "store", `${reason}`);
  }
  assert.deepEqual((await Promise.all(calls)).map(({ id }) => id), calls.map((_, index) => index + 1));
  controller.abort();
  await assert.rejects(hanging, { name: "AbortError" });
});

test("ten thousand calls at once keep their order", async (t) => {
  const host = await start(t);
  const numbers = Array.from({ length: 10_000 }, (_, index) => index + 1);
  const saved = await Promise.all(numbers.map((number) => host.saveCustomEvent({ name: `Event ${number}` })));
  assert.deepEqual(saved.map(({ id }) => id), numbers);
  assert.equal((await host.pending({ limit: 1 })).total, 10_000);
});

test("a call fails after its deadline and is cancelled at the host", async (t) => {
  const host = await start(t, PATIENT);
  const { notification } = await host.didReceive({ payload: PAYLOAD });
  const error = await host.interact({ notification, element: "hang" }, { deadline: 200 }).catch((error) => error);
  assert.ok(error instanceof DeadlineExceededError);
  assert.equal(error.message, "interact took longer than its deadline of 200 ms");
  await untilIdle(host);
});

test("an answer that arrives while the program is busy is in time", async (t) => {
  const host = await start(t);
  await host.ping();
  const answer = host.ping({}, { deadline: 50 });
  for (const until = Date.now() + 500; Date.now() < until; );
  assert.deepEqual(await answer, { version: CONTRACT_VERSION });
});

test("the default deadline applies to all calls", async (t) => {
  const host = await start(t, { deadline: 500 });
  const { notification } = await host.didReceive({ payload: PAYLOAD }, { deadline: Infinity });
  await assert.rejects(host.interact({ notification, element: "hang" }), DeadlineExceededError);
  for (const deadline of [0, -1, NaN, "1", null]) await assert.rejects(host.ping({}, { deadline }), RangeError);
});

test("an aborted signal cancels its calls", async (t) => {
  const host = await start(t, PATIENT);
  const { notification } = await host.didReceive({ payload: PAYLOAD });
  const controller = new AbortController();
  const { signal } = controller;
  const warnings = [];
  const warn = (warning) => warnings.push(warning);
  process.on("warning", warn);
  const calls = Array.from({ length: 30 }, () => host.interact({ notification, element: "hang" }, { signal }));
  const outcomes = Promise.allSettled(calls);
  await host.ping({}, { signal });
  controller.abort();
  for (const { reason } of await outcomes) assert.equal(reason.name, "AbortError");
  await untilIdle(host);
  await assert.rejects(host.ping({}, { signal }), { name: "AbortError" });
  process.off("warning", warn);
  assert.deepEqual(warnings, []);
});

test("a call is cancelled by its id", async (t) => {
  const host = await start(t);
  const { notification } = await host.didReceive({ payload: PAYLOAD });
  const call = host.interact({ notification, element: "hang" });
  // The second call of this host has the id 2.
  assert.deepEqual(await host.cancelRequest({ id: 2 }), { cancelled: true });
  await assert.rejects(call, RequestCancelledError);
});

test("calls in flight are finished at the end", async (t) => {
  const host = await start(t);
  const calls = Array.from({ length: 100 }, (_, number) => host.store({ key: `${number}`, value: number }));
  assert.deepEqual(await host.close(), { status: 0, signal: null });
  for (const call of calls) assert.deepEqual(await call, { stored: true });
});

test("the log goes to the chosen callback", async (t) => {
  const lines = [];
  const host = await start(t, { arguments: ["--log-level", "info"], log: (line) => lines.push(line) });
  const { notification } = await host.didReceive({ payload: PAYLOAD });
  await assert.rejects(host.interact({ notification, element: "exit" }), { reason: "extensionExited" });
  await host.close();
  assert.ok(lines.some((line) => line.includes("the extension leaves")), lines.join("\n"));
  assert.match(host.stderr, /the extension leaves/);
});

test("a log callback that fails is reported once and dropped", async (t) => {
  const told = t.mock.method(console, "error", () => {});
  const log = () => {
    throw new Error("my mistake");
  };
  const host = await start(t, { arguments: ["--log-level", "info"], log });
  for (let count = 0; count < 3; count++) {
    const { notification } = await host.didReceive({ payload: PAYLOAD });
    await assert.rejects(host.interact({ notification, element: "exit" }), { reason: "extensionExited" });
  }
  assert.deepEqual(await host.close(), { status: 0, signal: null });
  assert.equal(told.mock.callCount(), 1);
  const [text, error] = told.mock.calls[0].arguments;
  assert.equal(`${text} ${error.message}`, "pushhost: the log callback failed and gets no more lines: my mistake");
  assert.match(host.stderr, /the extension leaves/);
});

test("folders may be strings or URLs", async (t) => {
  for (const plugins of [PLUGINS, PLUGINS.pathname, [new URL("clients/echo", PLUGINS)]]) {
    const host = await start(t, { plugins });
    assert.equal((await host.extensions()).extensions.length, 1);
  }
});

test("a message without an answer has no id, and a closed host gets none", async (t) => {
  const script = `
    const heard = [];
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      heard.push(line);
      const { id } = JSON.parse(line);
      if (id) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: heard }));
    });`;
  const host = await startScript(t, script);
  host.notify("textDocument/didSave", { text: "é" });
  host.notify("initialized");
  const [saved, initialized] = await host.call("heard");
  assert.equal(saved, '{"jsonrpc":"2.0","method":"textDocument/didSave","params":{"text":"é"}}');
  assert.equal(initialized, '{"jsonrpc":"2.0","method":"initialized","params":{}}');
  await host.close();
  assert.throws(() => host.notify("initialized"), HostEndedError);
});
