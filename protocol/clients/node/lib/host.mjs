/** A running pushhost. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { HostEndedError, DeadlineExceededError } from "./errors.mjs";
import { Tail, checkOptions, command, ended, lineLimit, workplace, startError, withoutRecord } from "./launch.mjs";
import { Listener } from "./listener.mjs";
import { Methods } from "./methods.mjs";
import { isSave, wasKilled } from "./repeats.mjs";
import { ProtocolError, Session } from "./session.mjs";
import { Signals } from "./signals.mjs";

/** How many milliseconds a host that was asked to stop may take before the next, harder step. */
const GRACE = 30_000;
const SIGTERM_GRACE = 10_000;

/** How many milliseconds a host whose stdout ended may take to exit, and its pipes may stay open after that. */
const EXIT_GRACE = 2_000;
const DRAIN_GRACE = 1_000;

const FOREVER = Infinity;
const LONGEST_TIMER = 2 ** 31 - 1;

export class Host extends Methods {
  #launch;
  #child;
  #session;
  #signals = new Signals();
  #tail;
  #deadline;
  #restarts;
  #isClosing = false;
  #fault = undefined;
  #timer = undefined;
  #over;
  #finish;
  /** How many calls, listeners and endings wait for the host. Without any, it does not keep this program running. */
  #waiting = 0;
  /** Why the host died, if the next save starts another one. */
  #death = undefined;
  /** The promise that the next host is started; undefined if none is being started. */
  #restarting = undefined;

  /** Starts a host; rejects with HostStartError if that fails. */
  static async start(options = {}) {
    const launch = { ...command(options), ...workplace(options) };
    const deadline = checkDeadline(options.deadline ?? FOREVER);
    const restarts = options.restart ?? false;
    const child = await spawnHost(launch);
    const session = new Session(lineLimit(options.arguments), { restarts });
    const log = options.log === undefined ? console.error : options.log;
    return new Host(launch, child, session, { deadline, restarts, log });
  }

  /** Use `Host.start`. */
  constructor(launch, child, session, options) {
    super();
    if (!(session instanceof Session)) throw new TypeError("a host is started with await Host.start(options)");
    const { deadline, restarts, log } = options;
    this.#launch = launch;
    this.#session = session;
    this.#deadline = deadline;
    this.#restarts = restarts;
    this.#tail = new Tail(log);
    this.#attach(child);
  }

  /** Uses this process from now on. */
  #attach(child) {
    this.#child = child;
    this.#over = new Promise((resolve) => (this.#finish = resolve));
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.#end();
    };
    // The error is ignored: if the host does not read any more, its end is reported.
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk) => this.#guard(() => isOver || this.#session.receive(chunk)));
    child.stdout.once("end", () => {
      if (!isOver && !this.#hasExited) this.#after(EXIT_GRACE, () => child.kill("SIGKILL"));
    });
    child.stderr.setEncoding("utf8").on("data", (chunk) => this.#guard(() => this.#tail.feed(chunk)));
    // Another process may hold the pipes open.
    child.once("exit", () => isOver || this.#after(DRAIN_GRACE, end));
    child.once("close", end);
    this.#keepRunning();
  }

  /** Counts what waits for the host, and keeps this program running as long as something does. */
  #wait(change) {
    const before = this.#waiting;
    this.#waiting += change;
    if (before === 0 || this.#waiting === 0) this.#keepRunning();
  }

  #keepRunning() {
    for (const each of [this.#child, ...this.#child.stdio]) this.#waiting > 0 ? each.ref() : each.unref();
  }

  get #hasExited() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The number of the host's process. */
  get pid() {
    return this.#child.pid;
  }

  /** The end of what the host wrote to stderr. */
  get stderr() {
    return this.#tail.text;
  }

  /** Calls any method by its name in the contract, such as one that this client does not know yet. */
  call(method, params = {}, options = {}) {
    return this.#send(method, params, options);
  }

  /** Sends a message that is not answered, as the language server of `pushhost lsp` gets them. */
  notify(method, params = {}) {
    this.#write(this.#session.notification(method, params));
  }

  /** Listens to notifications of these topics from now on, or to all notifications if none is given. */
  listen(...topics) {
    const unlisten = () => this.#write(this.#session.unlisten(listener));
    const listener = new Listener(topics, unlisten, (change) => this.#wait(change));
    this.#session.listen(listener);
    if (topics.length > 0) {
      listener.subscribed = this.#send("subscribe", { topics: this.#session.topics }, {}, { forListener: true });
    }
    return listener;
  }

  /** Stops the host and waits until it is gone; calls in flight are finished and answered. */
  async close(options = {}) {
    checkOptions(options, "grace");
    const { grace = GRACE } = options;
    this.#isClosing = true;
    // Never taken back: what is left to hear is the end of the host.
    this.#wait(1);
    await this.#restarting;
    this.#child.stdin.end();
    const steps = [[grace, "SIGTERM"], [SIGTERM_GRACE, "SIGKILL"]];
    for (const [limit, signal] of steps) {
      if (await this.#isGone(limit)) break;
      this.#child.kill(signal);
    }
    await this.#over;
    return { status: this.#child.exitCode, signal: this.#child.signalCode };
  }

  async #isGone(limit) {
    let timer;
    const late = new Promise((resolve) => (timer = startTimer(limit, resolve, false)));
    const isGone = await Promise.race([this.#over.then(() => true), late]);
    clearTimeout(timer);
    return isGone;
  }

  // Calls

  #send(method, params, options = {}, kind = {}) {
    return new Promise((resolve, reject) => {
      checkOptions(options, "deadline", "signal");
      const { deadline, signal } = options;
      const limit = deadline === undefined ? this.#deadline : checkDeadline(deadline);
      signal?.throwIfAborted();
      if (this.#isClosing) throw new HostEndedError(method, "the host was closed");
      if (this.#death && isSave(method)) this.#startAgain(this.#death);
      let timer;
      const settle = (error, result) => {
        this.#wait(-1);
        clearTimeout(timer);
        this.#signals.forget(signal, abort);
        if (error) reject(error);
        else resolve(result);
      };
      const { id, line } = this.#session.request(method, params, settle, kind);
      this.#wait(1);
      const cancel = (error) => {
        const cancelling = this.#session.cancel(id);
        if (cancelling === undefined) return;
        this.#write(cancelling);
        settle(error);
      };
      const abort = () => cancel(signal.reason);
      this.#signals.watch(signal, abort);
      // Not at once, because a busy event loop runs timers before it reads input: the answer may have arrived.
      timer = startTimer(limit, () => setImmediate(cancel, new DeadlineExceededError(method, limit)));
      this.#write(line);
    });
  }

  #write(line) {
    // While the next host is being started, calls are kept and sent to it later.
    if (line === undefined || this.#restarting) return;
    if (this.#child.stdin.writable) this.#child.stdin.write(line);
  }

  // Callbacks of the process

  /** Runs a step; after any error the host is killed, so that no call waits forever. */
  #guard(step) {
    if (this.#fault) return;
    try {
      step();
    } catch (error) {
      this.#fault = error;
      this.#child.kill("SIGKILL");
    }
  }

  #after(delay, step) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(step, delay);
  }

  #end() {
    clearTimeout(this.#timer);
    this.#guard(() => this.#tail.finish());
    const fault = this.#fault;
    const how = { status: this.#child.exitCode, signal: this.#child.signalCode };
    const isFailure = fault !== undefined || !(this.#isClosing || how.status === 0);
    const isInvalid = fault instanceof ProtocolError;
    const reason = isInvalid ? `the host ${fault.message}` : fault && `${fault} while its output was read`;
    const death = { why: reason ?? ended(how), details: { ...how, stderr: this.#tail.text } };
    for (const stream of this.#child.stdio) stream.destroy();
    this.#finish();
    const isRestarted = this.#restarts && !fault && wasKilled(how) && !this.#isClosing && this.#session.mayStartAgain;
    if (isRestarted) this.#death = death;
    if (isRestarted && this.#session.hasRepeats) this.#startAgain(death);
    else this.#session.end(death.why, death.details, { isFailure });
  }

  /** Starts the next host, and then sends it the calls that the last one left unanswered. */
  #startAgain(death) {
    this.#death = undefined;
    this.#session.pause(death.why, death.details);
    this.#launch.words = withoutRecord(this.#launch.words);
    this.#restarting = spawnHost(this.#launch).then(
      (child) => {
        this.#restarting = undefined;
        this.#attach(child);
        for (const line of this.#session.resume()) this.#write(line);
      },
      (error) => {
        this.#restarting = undefined;
        this.#session.end(`${death.why}; ${error.message}`, death.details, { isFailure: true });
      },
    );
  }
}

/** A running process of the host; rejects with HostStartError if it cannot be started. */
async function spawnHost({ program, words, cwd, env }) {
  try {
    // Detached, because Control-C in a terminal must reach only this program; the host ends with its input.
    const child = spawn(program, words, { stdio: "pipe", cwd, env, detached: true });
    await once(child, "spawn");
    return child;
  } catch (error) {
    throw startError(error, program, cwd);
  }
}

if (Symbol.asyncDispose) {
  Host.prototype[Symbol.asyncDispose] = async function () {
    await this.close();
  };
}

/** A timer, or undefined without a deadline. */
function startTimer(delay, step, ...values) {
  return delay > LONGEST_TIMER ? undefined : setTimeout(step, delay, ...values);
}

function checkDeadline(deadline) {
  if (typeof deadline === "number" && deadline > 0) return deadline;
  throw new RangeError(`a deadline is a number of milliseconds greater than 0, or Infinity; ${deadline} is not`);
}
