#!/usr/bin/env node
/**
 * Keeps events in a durable outbox and hands them out: a JSON object a line in, a call of Braze's SDK a line out.
 *
 *     … | outbox.mjs [data folder]
 *
 * Each line is the params of saveCustomEvent. A reply is a promise: what was saved survives a power loss. What is
 * handed out is deleted only after it was printed.
 */

import { createInterface } from "node:readline";
import { CallError, Host } from "pushhost";

const host = await Host.start({ data: process.argv[2], suite: "outbox" });
try {
  // Sent together, so that one sync of the disk is for all; answered one by one.
  const refusals = [];
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    const saved = host.saveCustomEvent(JSON.parse(line));
    refusals.push(saved.then(() => undefined, (error) => error));
  }
  for (const [index, error] of (await Promise.all(refusals)).entries()) {
    if (error === undefined) continue;
    if (!(error instanceof CallError)) throw error;
    console.error(`line ${index + 1}: ${error.message}`);
    process.exitCode = 1;
  }
  let lease;
  do {
    const flushed = await host.flushPending({ lease: 60 });
    const text = flushed.calls.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    await new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
    ({ lease } = flushed);
    if (lease !== undefined) await host.acknowledge({ lease });
  } while (lease !== undefined);
} finally {
  await host.close();
}
