/** The errors of calls and of the host itself; reasons.mjs has the classes of the host's own reasons. */

import { CONTRACT_VERSION } from "./contract.mjs";

export class PushhostError extends Error {
  constructor(message, options) {
    super(message, options);
    Object.defineProperty(this, "name", { value: new.target.name, configurable: true, writable: true });
  }
}

export class CallError extends PushhostError {
  constructor(method, { code, message, data }) {
    const members = typeof data === "object" && data !== null ? data : {};
    const reason = typeof members.reason === "string" ? members.reason : "";
    // An older host answers with these reasons if it does not know a method or a param.
    const isOlder = reason === "methodNotFound" || reason === "unknownParam";
    const versions = `; this client has version ${CONTRACT_VERSION} of the contract, ping returns the host's`;
    const stderr = ending("the extension's", members.stderr);
    super(`${method}: ${message} (${reason || code})${isOlder ? versions : ""}${stderr}`);
    this.method = method;
    this.code = code;
    this.reason = reason;
    this.path = typeof members.path === "string" ? members.path : undefined;
    this.data = members;
  }
}

/** The end of a process's stderr for an error's text, empty if it wrote none. */
function ending(whose, stderr) {
  return typeof stderr === "string" && stderr.trim() ? `; ${whose} stderr ends:\n${stderr.trimEnd()}` : "";
}

export class UnsendableError extends PushhostError {}

export class DeadlineExceededError extends PushhostError {
  constructor(what, deadline) {
    super(`${what} took longer than its deadline of ${deadline} ms`);
    this.deadline = deadline;
  }
}

export class HostError extends PushhostError {}

export class HostStartError extends HostError {}

export class HostEndedError extends HostError {
  constructor(what, why, { status = null, signal = null, stderr = "" } = {}) {
    super(`${what}: ${why}${ending("its", stderr)}`);
    this.status = status;
    this.signal = signal;
    this.stderr = stderr;
  }
}
