/** Drives pushhost, which runs the code behind iOS push notifications without a phone; README.md shows how. */
export { Host } from "./lib/host.mjs";
export { Listener } from "./lib/listener.mjs";
export * from "./lib/errors.mjs";
export * from "./lib/reasons.mjs";
export { CONTRACT_VERSION, TOPICS } from "./lib/contract.mjs";
