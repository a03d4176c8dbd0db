/** How a host is started: its program, its command line, and the handling of its stderr. */

import { statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { MAX_LINE_BYTES } from "./contract.mjs";
import { HostStartError } from "./errors.mjs";
import { standardProgram } from "./program.mjs";

/** How much of stderr is kept for errors, in characters. */
const TAIL = 16 * 1024;

/** The options of the command line that are options of `Host.start` too. */
const OPTIONS = ["data", "suite", "clock", "seed", "locale"];

/** The other options of `Host.start`. */
const OTHERS = ["program", "plugins", "arguments", "env", "cwd", "restart", "deadline", "log"];

/** Refuses an option that does not exist, which otherwise would have no effect. */
export function checkOptions(options, ...names) {
  const wrong = Object.keys(options).find((name) => !names.includes(name));
  if (wrong !== undefined) throw new TypeError(`there is no option ${wrong}; the options are ${names.join(", ")}`);
}

/** The program and the arguments of a host. */
export function command(options) {
  checkOptions(options, ...OTHERS, ...OPTIONS);
  const program = options.program ?? standardProgram();
  const folders = [options.plugins ?? []].flat();
  const words = folders.flatMap((each) => ["--plugins", each instanceof URL ? fileURLToPath(each) : each]);
  for (const name of OPTIONS) {
    if (options[name] !== undefined) words.push(`--${name}`, String(options[name]));
  }
  words.push(...(options.arguments ?? []));
  // A relative path starts at this program's folder, not at the folder in which the host works.
  return { program: program.includes(sep) ? resolve(program) : program, words };
}

/** A host's folder and environment, copied so that the next host gets the same even if the program changed them. */
export function workplace({ cwd, env }) {
  return { cwd: resolve(cwd instanceof URL ? fileURLToPath(cwd) : (cwd ?? ".")), env: { ...(env ?? process.env) } };
}

/** The arguments of the next host: without `--record`, which would overwrite the recording. */
export function withoutRecord(words) {
  return words.filter((word, index) => !/^--record(=|$)/.test(word) && words[index - 1] !== "--record");
}

/** The line limit of a host with these arguments; the last `--line-limit` wins, as for the host. */
export function lineLimit(words = []) {
  let limit = MAX_LINE_BYTES;
  for (const [index, word] of words.entries()) {
    const [, value = words[index + 1]] = /^--line-limit(?:=(.*))?$/.exec(word) ?? [, ""];
    // If it is not a number, the host reports that itself.
    if (/^\d+$/.test(value)) limit = Number(value);
  }
  return limit;
}

/** The error for a host that the system could not start: why, and what to do. */
export function startError(error, program, cwd) {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    return new HostStartError(`the host cannot be started in ${cwd}, which is not a folder`, { cause: error });
  }
  const hint = "name the program as { program: … }, or in the environment variable PUSHHOST";
  if (error.code === "ENOENT" && !program.includes(sep)) {
    return new HostStartError(`there is no ${program} in PATH; ${hint}`, { cause: error });
  }
  const why = { ENOENT: "no such file", EACCES: "permission denied" }[error.code] ?? error.message;
  return new HostStartError(`the host cannot be started from ${program}: ${why}; ${hint}`, { cause: error });
}

/** Keeps the end of stderr, and passes its lines to the log callback. */
export class Tail {
  #log;
  #rest = "";
  text = "";

  constructor(log) {
    this.#log = log;
  }

  feed(chunk) {
    this.text = (this.text + chunk).slice(-TAIL);
    if (!this.#log) return;
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) this.#emit(line);
  }

  /** Passes on a last line that has no line end. */
  finish() {
    if (this.#rest !== "") this.#emit(this.#rest);
    this.#rest = "";
  }

  #emit(line) {
    try {
      this.#log?.(line);
    } catch (error) {
      // An error of the log callback must not end the host.
      this.#log = null;
      console.error("pushhost: the log callback failed and gets no more lines:", error);
    }
  }
}

/** How a host ended, in words. */
export function ended({ status, signal }) {
  return signal ? `the host was ended by ${signal}` : `the host ended with exit code ${status}`;
}
