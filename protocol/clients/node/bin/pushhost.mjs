#!/usr/bin/env node
/** The program pushhost as a command of npm. */

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { packedProgram } from "../lib/program.mjs";

const program = packedProgram();
if (program === undefined) {
  console.error(
    `pushhost: there is no program for ${process.platform} on ${process.arch}; ` +
      "install without --omit=optional, or build pushhost from its source",
  );
  process.exit(69);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends these to the program too, which decides how it ends. Any other sender knows only this process.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`pushhost: ${program} cannot be started: ${error.message}`);
  process.exit(71);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
