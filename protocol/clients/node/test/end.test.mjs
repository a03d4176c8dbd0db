/** Hosts that die, programs that are not hosts, and hosts that cannot be started. */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { DeadlineExceededError, Host, HostEndedError, HostStartError } from "pushhost";
import { PAYLOAD, PLUGINS, start, startScript, wrapped } from "./support.mjs";

/** A program that waits for a call until it is interrupted, and then continues. */
const WAITS = `
  const [client, program, plugins, data] = process.argv.slice(1);
  const { Host } = await import(client);
  const log = (line) => line.includes("the extension hangs") && console.log("ready");
  const host = await Host.start({ program, plugins, data, arguments: ["--log-level", "info"], log });
  const { notification } = await host.didReceive({ payload: { aps: { category: "echo", alert: "Hello" } } });
  process.on("SIGINT", async () => {
    const { id } = await host.saveCustomEvent({ name: "after" });
    await host.close({ grace: 100 });
    console.log(id, host.stderr.includes("on signal 2"));
  });
  await host.interact({ notification, element: "hang" }).catch(() => {});
`;

/** A program that does nothing with its host. */
const IDLES = `
  const [client, program, , data] = process.argv.slice(1);
  const { Host } = await import(client);
  await Host.start({ program, data });
  setInterval(() => {}, 1e6);
  console.log("ready");
`;

/** A program that reads one notification, which comes later than all answers, and does not close its host. */
const FORGETS = `
  const [client, program, plugins, cwd] = process.argv.slice(1);
  const { Host } = await import(client);
  const answers = \`process.stdin.on("data", (data) => {
    const { id } = JSON.parse(data);
    if (id === undefined) return;
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { topics: ["didDismiss"] } }));
    setTimeout(() => console.log('{"jsonrpc":"2.0","method":"didDismiss","params":{}}'), 300);
  })\`;
  const host = await Host.start({ program, cwd, arguments: ["-e", answers] });
  console.log("ready");
  for await (const { topic } of host.listen("didDismiss")) {
    console.log(topic);
    break;
  }
`;

/** Starts a script in its own process group, as a shell does, and waits until it is ready. */
async function run(t, script, program) {
  const data = mkdtempSync(join(tmpdir(), "pushhost-"));
  const client = new URL("../index.mjs", import.meta.url).href;
  const words = ["--input-type=module", "-e", script, client, program, PLUGINS.pathname, data];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"], detached: true });
  const closed = once(child, "close");
  t.after(async () => {
    child.kill("SIGKILL");
    await closed;
    rmSync(data, { recursive: true });
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, "ready");
  return { child, lines };
}

test("Control-C reaches the program and not the host", async (t) => {
  const { child, lines } = await run(t, WAITS, process.env.PUSHHOST);
  process.kill(-child.pid, "SIGINT");
  assert.equal((await lines.next()).value, "1 false");
});

test("the host ends if its program is killed", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pushhost-"));
  t.after(() => rmSync(folder, { recursive: true }));
  // The pipe is open for writing as long as the host runs.
  execFileSync("mkfifo", [join(folder, "life")]);
  const life = readFile(join(folder, "life"), "utf8");
  const { child } = await run(t, IDLES, wrapped(t, `exec 3>"${folder}/life"; exec "$PUSHHOST" "$@"`));
  child.kill("SIGKILL");
  assert.equal(await life, "");
});

test("a host that is not closed keeps its program running only while it is waited for", { timeout: 60_000 }, async (t) => {
  const { child, lines } = await run(t, FORGETS, process.execPath);
  assert.equal((await lines.next()).value, "didDismiss");
  if (child.exitCode === null) await once(child, "exit");
  assert.equal(child.exitCode, 0);
});

test("a killed host fails every waiting call with its stderr", async (t) => {
  let tell;
  const told = new Promise((resolve) => (tell = resolve));
  const log = (line) => line.includes("the extension hangs") && tell();
  const host = await start(t, { arguments: ["--log-level", "info"], log });
  const { notification } = await host.didReceive({ payload: PAYLOAD });
  const heard = host.listen("didDismiss");
  const calls = Array.from({ length: 50 }, () => host.interact({ notification, element: "hang" }));
  const outcomes = Promise.allSettled(calls);
  await told;
  process.kill(host.pid, "SIGKILL");
  for (const { reason } of await outcomes) {
    assert.ok(reason instanceof HostEndedError, `${reason}`);
    assert.match(reason.message, /^interact: the host was ended by SIGKILL; its stderr ends:\n/);
    assert.match(reason.stderr, /the extension hangs/);
    assert.deepEqual([reason.status, reason.signal], [null, "SIGKILL"]);
  }
  await assert.rejects(heard.next(), HostEndedError);
  await assert.rejects(host.ping(), /ping: the host was ended by SIGKILL/);
  assert.deepEqual(await host.close(), { status: null, signal: "SIGKILL" });
});

test("a program that is not a host is named", async (t) => {
  const host = await start(t, { program: "/bin/true" });
  await assert.rejects(host.ping(), /ping: .* exit code 0; it answered nothing: is the program pushhost\?/);
});

test("the first call reports a wrong command line", async (t) => {
  const host = await start(t, { arguments: ["--nonsense"] });
  const error = await host.ping().catch((error) => error);
  assert.equal(error.status, 64);
  assert.match(error.message, /ping: the host ended with exit code 64[^]*--nonsense/);
});

test("a host that cannot be started is reported with what to do", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pushhost-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const plain = join(folder, "plain");
  writeFileSync(plain, "no program");
  for (const [program, word] of [[join(folder, "none"), "no such file"], [plain, "denied"], [folder, "denied"]]) {
    await assert.rejects(Host.start({ program }), (error) => {
      assert.ok(error instanceof HostStartError, `${error}`);
      return [`from ${program}: `, word, "PUSHHOST"].every((part) => error.message.includes(part));
    });
  }
  await assert.rejects(Host.start({ cwd: join(folder, "none") }), /which is not a folder/);
  await assert.rejects(Host.start({ program: "no-such-program" }), /there is no no-such-program in PATH; .*PUSHHOST/);
});

test("a program that is not a host is reported", async (t) => {
  for (const output of ["Welcome!", "[]", '{"id": 1}']) {
    const script = `process.stdin.once("data", () => console.log(${JSON.stringify(output)}))`;
    const host = await startScript(t, script);
    const error = await host.ping().catch((error) => error);
    assert.ok(error instanceof HostEndedError, `${error}`);
    assert.match(error.message, /^ping: the host wrote a line that is not (JSON|a message): /);
    assert.ok(error.message.includes(output));
  }
});

test("a host that closes its output counts as ended", async (t) => {
  const host = await startScript(t, "require('fs').closeSync(1); process.stdin.resume()");
  await assert.rejects(host.ping(), HostEndedError);
});

test("pipes that a child process keeps open do not delay the end", async (t) => {
  // The child process runs until this test kills it.
  const script = `
    const { spawn } = require("child_process");
    process.stdin.once("data", () => {
      const child = spawn("sleep", ["1000"], { stdio: ["ignore", 1, 2], detached: true });
      require("fs").writeSync(2, "the end " + child.pid);
      process.exit(5);
    });`;
  const host = await startScript(t, script);
  const error = await host.ping().catch((error) => error);
  process.kill(Number(/the end (\d+)/.exec(error.stderr)[1]), "SIGKILL");
  assert.equal(error.status, 5);
});

test("a host that does not stop is killed", async (t) => {
  const host = await startScript(t, "setInterval(() => {}, 1000)");
  assert.deepEqual(await host.close({ grace: 100 }), { status: null, signal: "SIGTERM" });
});

test("deadlines hold even if the host reads nothing", async (t) => {
  const host = await startScript(t, "setInterval(() => {}, 1000)");
  const value = "x".repeat(1_000_000);
  await assert.rejects(host.store({ key: "a", value }, { deadline: 200 }), DeadlineExceededError);
});

test("a closed host refuses calls, and closing it again has no effect", async (t) => {
  const host = await start(t);
  await host.ping();
  await host.close();
  await assert.rejects(host.ping(), /ping: the host was closed/);
  assert.deepEqual(await host.close(), { status: 0, signal: null });
});

test("many hosts leave nothing behind", { skip: process.platform !== "linux" && "it reads /proc" }, async (t) => {
  const descriptors = () => readdirSync("/proc/self/fd").length;
  await (await start(t)).close();
  const before = descriptors();
  for (let count = 0; count < 10; count++) {
    const host = await start(t);
    await host.ping();
    await host.close();
  }
  assert.equal(descriptors(), before);
});
