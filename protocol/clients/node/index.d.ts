import type { Notification, Topic } from "./lib/contract.js";
import { Methods } from "./lib/methods.js";

export * from "./lib/contract.js";
export * from "./lib/reasons.js";

/** How a host is started. */
export interface HostOptions {
  /** The program; else what the environment variable PUSHHOST names, else the pushhost in PATH. */
  program?: string;
  /** A bundle, a folder of them, or several. */
  plugins?: string | URL | readonly (string | URL)[];
  /** The folder of the suites. */
  data?: string;
  /** The suite of calls that name none. */
  suite?: string;
  /** Fixes the time: RFC 3339. */
  clock?: string;
  /** Fixes chance. */
  seed?: number;
  /** The locale of notifications that name none. */
  locale?: string;
  /** Further options of the command line. */
  arguments?: readonly string[];
  /** The environment; ours where it is absent. */
  env?: { [name: string]: string | undefined };
  /** The folder in which the host works; ours where it is absent. */
  cwd?: string;
  /**
   * Whether a save starts a host again that crashed or was killed; false by default.
   *
   * Each save then has an idempotency key. Those that were not answered are sent to the next host, which saves none
   * twice. Other calls that wait fail with HostEndedError, and the next host knows none of the notifications.
   */
  restart?: boolean;
  /** How many milliseconds a call has that names none itself; no limit where it is absent. */
  deadline?: number;
  /** Gets each line of the host's stderr; console.error where it is absent, nobody where it is null. */
  log?: ((line: string) => void) | null;
}

/** How one call is made. */
export interface CallOptions {
  /** How many milliseconds it has; Infinity for no limit. The host is then told to cancel it. */
  deadline?: number;
  /** Takes the call back when it is aborted; what it did already stays. */
  signal?: AbortSignal;
}

/** How a host ended: one of both is null. */
export interface HostStatus {
  status: number | null;
  signal: string | null;
}

/** A running pushhost. */
export declare class Host extends Methods {
  private constructor();
  /** Starts a host; rejects with HostStartError where that fails. */
  static start(options?: HostOptions): Promise<Host>;
  /** The number of the host's process. */
  readonly pid: number;
  /** The end of what the host wrote to stderr. */
  readonly stderr: string;
  /** Calls any method by its name in the contract, such as one that this client does not know yet. */
  call(method: string, params?: object, options?: CallOptions): Promise<any>;
  /**
   * Listens to notifications of these topics from now on; subscribes to them while the listener is open.
   *
   * Without topics it hears all that comes, which is what `subscribe` and other listeners chose.
   */
  listen<Chosen extends Topic = Topic>(...topics: Chosen[]): Listener<Extract<Notification, { topic: Chosen }>>;
  /**
   * Stops the host and waits until it is gone; gives how it ended.
   *
   * It finishes what is in flight and answers it. After `grace` milliseconds it gets SIGTERM, then SIGKILL.
   */
  close(options?: { grace?: number }): Promise<HostStatus>;
}

/** Iterates over notifications as they come; keeps all that nobody took yet. */
export declare class Listener<Heard> implements AsyncIterableIterator<Heard> {
  private constructor();
  readonly topics: readonly Topic[];
  /** The next notification; rejects with HostEndedError where the host died. */
  next(): Promise<IteratorResult<Heard, undefined>>;
  /** Ends the listener, as leaving the loop does; what it heard already can still be taken. */
  close(): void;
  return(value?: undefined): Promise<IteratorResult<Heard, undefined>>;
  [Symbol.asyncIterator](): this;
}

/** The base of all that this package throws by itself. */
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
  /** A JSON Pointer to what is wrong in the request, where something in it is. */
  readonly path: string | undefined;
  /** All that the host tells about it. */
  readonly data: { [member: string]: unknown };
}

/** An argument cannot be written as JSON that the host can read; nothing was sent. */
export declare class UnsendableError extends PushhostError {}

/** A call was not answered in time; the host was told to cancel it. What it did already stays. */
export declare class DeadlineExceededError extends PushhostError {
  /** How many milliseconds it had. */
  readonly deadline: number;
}

/** The host itself failed, not a call. */
export declare class HostError extends PushhostError {}

/** The host could not be started. */
export declare class HostStartError extends HostError {}

/**
 * The host is gone, or said what is no message of the contract; what was not answered may have been done.
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
