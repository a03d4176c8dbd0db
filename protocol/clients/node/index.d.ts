import type { Notification, Topic } from "./lib/contract.js";
import { Methods } from "./lib/methods.js";

export * from "./lib/contract.js";
export * from "./lib/reasons.js";

/** How a host is started. */
export interface HostOptions {
  /** The program; by default PUSHHOST of the environment, the one in pushhost-linux-x64, or that in PATH. */
  program?: string;
  /** A bundle, a folder of bundles, or a list of these. */
  plugins?: string | URL | readonly (string | URL)[];
  /** The folder of the suites. */
  data?: string;
  /** The suite of calls that name none. */
  suite?: string;
  /** Fixes the time: RFC 3339. */
  clock?: string;
  /** Fixes random numbers. */
  seed?: number;
  /** The locale of notifications that name none. */
  locale?: string;
  /** Further options of the command line. */
  arguments?: readonly string[];
  /** The environment; by default that of this process. */
  env?: { [name: string]: string | undefined };
  /** The folder in which the host works; by default that of this process. */
  cwd?: string;
  /**
   * Whether a save starts the host again if the host has crashed or was killed; false by default.
   *
   * Each save then has an idempotency key. Saves that were not answered are sent to the next host, which saves none of
   * them twice. Other calls in flight fail with HostEndedError, and the next host knows none of the notifications.
   */
  restart?: boolean;
  /** The limit in milliseconds for calls without a deadline of their own; no limit by default. */
  deadline?: number;
  /** Receives each line of the host's stderr; by default console.error. null drops the lines. */
  log?: ((line: string) => void) | null;
}

/** How one call is made. */
export interface CallOptions {
  /** The limit in milliseconds, Infinity for none. After it the client cancels the call. */
  deadline?: number;
  /** Cancels the call when it is aborted. Effects that the call already had remain. */
  signal?: AbortSignal;
}

/** How a host ended, with an exit code or by a signal; the other one is null. */
export interface HostStatus {
  status: number | null;
  signal: string | null;
}

/** A running pushhost. */
export declare class Host extends Methods {
  private constructor();
  /** Starts a host; rejects with HostStartError if that fails. */
  static start(options?: HostOptions): Promise<Host>;
  /** The number of the host's process. */
  readonly pid: number;
  /** The end of what the host wrote to stderr. */
  readonly stderr: string;
  /** Calls any method by its name in the contract, such as one that this client does not know yet. */
  call(method: string, params?: object, options?: CallOptions): Promise<any>;
  /** Sends a message that is not answered, as the language server of `pushhost lsp` gets them. */
  notify(method: string, params?: object): void;
  /**
   * Listens to notifications of these topics from now on, and subscribes to them while the listener is open.
   *
   * Without topics it receives all notifications, but subscribes to none: the host sends those that `subscribe` and
   * other listeners chose.
   */
  listen<Chosen extends Topic = Topic>(...topics: Chosen[]): Listener<Extract<Notification, { topic: Chosen }>>;
  /**
   * Stops the host and waits until it is gone; resolves with how it ended.
   *
   * The host first finishes and answers the calls in flight. After `grace` milliseconds it gets SIGTERM, then SIGKILL.
   */
  close(options?: { grace?: number }): Promise<HostStatus>;
}

/** Iterates over notifications as they arrive; it keeps them until they are read. */
export declare class Listener<Heard> implements AsyncIterableIterator<Heard> {
  private constructor();
  readonly topics: readonly Topic[];
  /** The next notification; rejects with HostEndedError if the host died. */
  next(): Promise<IteratorResult<Heard, undefined>>;
  /** Ends the listener, as leaving the loop does; notifications that it has received can still be read. */
  close(): void;
  return(value?: undefined): Promise<IteratorResult<Heard, undefined>>;
  [Symbol.asyncIterator](): this;
}

/** The base class of all errors of this package. */
export declare class PushhostError extends Error {}

/**
 * The host answered a call with an error. Each reason has a class of its own below this one.
 *
 * Compare classes, reasons and codes, never messages.
 */
export declare class CallError extends PushhostError {
  constructor(method: string, error: { code: number; message: string; data?: unknown });
  /** The method that was called. */
  readonly method: string;
  /** The number of the error. */
  readonly code: number;
  /** A stable word for programs. */
  readonly reason: string;
  /** A JSON Pointer to the invalid part of the request, if there is one. */
  readonly path: string | undefined;
  /** The error's `data`. */
  readonly data: { [member: string]: unknown };
}

/** An argument cannot be written as JSON that the host can read; nothing was sent. */
export declare class UnsendableError extends PushhostError {}

/** A call was not answered in time and was cancelled. Effects that it already had remain. */
export declare class DeadlineExceededError extends PushhostError {
  /** The deadline in milliseconds. */
  readonly deadline: number;
}

/** The host itself failed, not a call. */
export declare class HostError extends PushhostError {}

/** The host could not be started. */
export declare class HostStartError extends HostError {}

/**
 * The host is gone, or sent an invalid message; calls without an answer may have been carried out.
 *
 * Every call that was not answered fails with this at once, and so does each later one, unless a save starts the host
 * again.
 */
export declare class HostEndedError extends HostError {
  readonly status: number | null;
  readonly signal: string | null;
  /** The end of what the host wrote to stderr. */
  readonly stderr: string;
}
