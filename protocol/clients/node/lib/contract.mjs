// Generated from protocol/openrpc.json by protocol/generate.py; do not edit.

export const CONTRACT_VERSION = "1.0";

export const TOPICS = Object.freeze([
  "viewDidChange",
  "didDismiss",
  "openApplication",
  "$/progress",
  "$/log",
]);
