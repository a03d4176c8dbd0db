// Generated from protocol/openrpc.json by protocol/generate.py; do not edit.

export const CONTRACT_VERSION = "1.2";

/** The maximum length of a line in bytes, unless the host's option --line-limit sets another. */
export const MAX_LINE_BYTES = 16777216;

export const TOPICS = Object.freeze([
  "viewDidChange",
  "didDismiss",
  "didSave",
  "openApplication",
  "$/progress",
  "$/log",
  "$/stderr",
]);
