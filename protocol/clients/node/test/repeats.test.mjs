/** Saves that survive their host: it is killed while it saves many records, and each is stored once. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { HostEndedError, IdempotencyKeyReusedError, UnknownNotificationError } from "pushhost";
import { PAYLOAD, start, wrapped } from "./support.mjs";

const COUNT = 4_000;

async function names(host) {
  const found = [];
  for (let after = 0; ; ) {
    const { records } = await host.pending({ after });
    if (records.length === 0) return found;
    found.push(...records.map(({ name }) => name));
    after = records.at(-1).id;
  }
}

/** Calls until the client knows that its host died. */
async function untilEnded(call) {
  for (;;) {
    const error = await call().then(() => undefined, (error) => error);
    if (error) return error;
  }
}

test("each save is stored once even if the host is killed in between", async (t) => {
  const host = await start(t, { restart: true });
  const first = host.pid;
  const calls = [];
  for (let number = 0; number < COUNT; number++) {
    calls.push(host.saveCustomEvent({ name: `event ${number}`, properties: { number } }));
    if (number % 1_000 === 500) {
      // Some of them are answered then, and some are in flight.
      await calls[number - 200];
      process.kill(host.pid, "SIGKILL");
    }
  }
  const ids = (await Promise.all(calls)).map(({ id }) => id);
  assert.notEqual(host.pid, first);
  assert.deepEqual((await names(host)).sort(), calls.map((_, number) => `event ${number}`).sort());
  assert.deepEqual(ids, [...new Set(ids)].sort((a, b) => a - b));
});

test("a save starts a killed host again", async (t) => {
  const host = await start(t, { restart: true });
  await host.saveCustomEvent({ name: "before" });
  const { notification } = await host.didReceive({ payload: PAYLOAD });
  const heard = host.listen("didDismiss");
  process.kill(host.pid, "SIGKILL");
  await assert.rejects(heard.next(), HostEndedError);
  await assert.rejects(host.ping(), HostEndedError);
  // Both are sent to the next host, which is being started.
  const [saved, pong] = await Promise.all([host.saveCustomEvent({ name: "after" }), host.ping()]);
  assert.deepEqual(saved, { id: 2 });
  assert.ok(pong.version);
  await assert.rejects(host.interact({ notification, element: "echo" }), UnknownNotificationError);
});

test("closing while the next host starts still saves", async (t) => {
  const host = await start(t, { restart: true });
  await host.saveCustomEvent({ name: "before" });
  process.kill(host.pid, "SIGKILL");
  assert.ok((await untilEnded(() => host.ping())) instanceof HostEndedError);
  const saved = host.saveCustomEvent({ name: "after" });
  assert.deepEqual(await host.close(), { status: 0, signal: null });
  assert.deepEqual(await saved, { id: 2 });
});

test("the caller's key is sent unchanged, and equal saves are different saves", async (t) => {
  const host = await start(t, { restart: true });
  assert.deepEqual(await host.saveCustomEvent({ name: "a", idempotencyKey: "mine" }), { id: 1 });
  assert.deepEqual(await host.saveCustomEvent({ name: "a", idempotencyKey: "mine" }), { id: 1, repeated: true });
  await assert.rejects(host.saveCustomEvent({ name: "b", idempotencyKey: "mine" }), (error) => {
    assert.ok(error instanceof IdempotencyKeyReusedError, `${error}`);
    return error.path === "/params/idempotencyKey";
  });
  assert.deepEqual(await host.saveCustomEvent({ name: "a" }), { id: 2 });
  assert.deepEqual(await host.saveCustomEvent({ name: "a" }), { id: 3 });
});

test("without restart a killed host is not started again", async (t) => {
  const host = await start(t);
  assert.deepEqual(await host.saveCustomEvent({ name: "a" }), { id: 1 });
  process.kill(host.pid, "SIGKILL");
  for (let count = 0; count < 2; count++) await assert.rejects(host.saveCustomEvent({ name: "a" }), HostEndedError);
  assert.deepEqual(await host.close(), { status: null, signal: "SIGKILL" });
});

test("the next host does not record over the recording of the one that died", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pushhost-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const log = join(folder, "arguments");
  const program = wrapped(t, `echo "$@" >> "${log}"; exec "$PUSHHOST" "$@"`);
  for (const words of [["--record", join(folder, "first")], [`--record=${join(folder, "second")}`]]) {
    const host = await start(t, { restart: true, program, arguments: words });
    await host.saveCustomEvent({ name: "before" });
    process.kill(host.pid, "SIGKILL");
    await host.saveCustomEvent({ name: "after" });
    const [first, second] = readFileSync(log, "utf8").trim().split("\n");
    rmSync(log);
    assert.equal(first, `${second} ${words.join(" ")}`);
  }
});

test("a host that answers nothing is started three times", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pushhost-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const log = join(folder, "starts");
  const program = wrapped(t, `echo >> "${log}"; read line; kill -9 $$`);
  const host = await start(t, { restart: true, plugins: [], program });
  for (let count = 0; count < 2; count++) await assert.rejects(host.saveCustomEvent({ name: "a" }), HostEndedError);
  assert.equal(readFileSync(log, "utf8"), "\n".repeat(3));
});

test("a host that was killed before its first answer is started again", async (t) => {
  const host = await start(t, { restart: true });
  process.kill(host.pid, "SIGKILL");
  assert.deepEqual(await host.saveCustomEvent({ name: "a" }), { id: 1 });
});

test("the next host starts in the folder of the first one", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pushhost-"));
  const before = process.cwd();
  t.after(() => {
    process.chdir(before);
    delete process.env.PLACE;
    rmSync(folder, { recursive: true });
  });
  const log = join(folder, "places");
  const program = wrapped(t, `echo "$PWD $PLACE" >> "${log}"; exec "$PUSHHOST" "$@"`);
  process.chdir(folder);
  process.env.PLACE = "first";
  const host = await start(t, { restart: true, program, data: "data" });
  assert.deepEqual(await host.saveCustomEvent({ name: "before" }), { id: 1 });
  process.chdir(tmpdir());
  process.env.PLACE = "second";
  process.kill(host.pid, "SIGKILL");
  assert.deepEqual(await host.saveCustomEvent({ name: "after" }), { id: 2 });
  const [first, second] = readFileSync(log, "utf8").trim().split("\n");
  assert.equal(first, second);
});

test("a host that was asked to stop is not started again", async (t) => {
  const host = await start(t, { restart: true });
  await host.ping();
  process.kill(host.pid, "SIGTERM");
  while (!((await untilEnded(() => host.ping())) instanceof HostEndedError));
  await assert.rejects(host.saveCustomEvent({ name: "a" }), HostEndedError);
});

test("a failed restart is reported", async (t) => {
  const program = wrapped(t, 'exec "$PUSHHOST" "$@"');
  const host = await start(t, { restart: true, program });
  await host.ping();
  rmSync(program);
  process.kill(host.pid, "SIGKILL");
  const error = await untilEnded(() => host.saveCustomEvent({ name: "a" }));
  assert.ok(error instanceof HostEndedError, `${error}`);
  assert.match(error.message, /SIGKILL; the host cannot be started from/);
});
