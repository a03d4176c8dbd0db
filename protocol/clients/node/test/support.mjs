/** The host that the tests start: the program in PUSHHOST, with an extension that a test controls. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Host } from "pushhost";

export const PLUGINS = new URL("../../../../Tests/Fixtures/clients", import.meta.url);
export const PAYLOAD = { aps: { category: "echo", alert: "Hello" } };

/** Starts a host with its own data folder and without a log, and stops it after the test. */
export async function start(test, options = {}) {
  if (!process.env.PUSHHOST) throw new Error("set PUSHHOST to the built host");
  const data = mkdtempSync(join(tmpdir(), "pushhost-"));
  const host = await Host.start({ plugins: PLUGINS, data, deadline: 60_000, log: null, ...options });
  test.after(async () => {
    // Short, because a hanging extension would delay the end.
    await host.close({ grace: 500 });
    rmSync(data, { recursive: true });
  });
  return host;
}

/** Starts another program instead of the host. */
export function startScript(test, script, options = {}) {
  const program = process.execPath;
  return start(test, { program, plugins: [], data: undefined, arguments: ["-e", script], ...options });
}

/** A shell script that replaces the host, or starts it in another way. */
export function wrapped(test, script) {
  const folder = mkdtempSync(join(tmpdir(), "pushhost-"));
  test.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "wrapped");
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return program;
}

/** The value that the extension received. */
export function said(view) {
  return JSON.parse(view.children[0].text);
}
