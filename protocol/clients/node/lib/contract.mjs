// Generated from protocol/openrpc.json by protocol/generate.py; do not edit.

export const CONTRACT_VERSION = "1.1";

/** How long a line the host takes, in bytes, unless its option --line-limit says otherwise. */
export const MAX_LINE_BYTES = 16777216;

export const TOPICS = Object.freeze([
  "viewDidChange",
  "didDismiss",
  "openApplication",
  "$/progress",
  "$/log",
]);
