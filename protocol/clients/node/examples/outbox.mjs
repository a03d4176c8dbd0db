#!/usr/bin/env node
/**
 * A durable outbox: reads events from stdin, saves them, and prints them as calls of Braze's SDK.
 *
 *     … | outbox.mjs [data folder]
 *
 * Each input line is a JSON object with the params of saveCustomEvent, each output line a call. An event survives a
 * power loss as soon as its save is answered, and is deleted only after it was printed.
 */

import { createInterface } from "node:readline";
import { CallError, Host } from "pushhost";

const host = await Host.start({ data: process.argv[2], suite: "outbox" });
try {
  // Sent together, so that all saves share one sync of the disk; each has its own answer.
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
