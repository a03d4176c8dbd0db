/** Where the program is. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The program in the optional dependency for this system; undefined if that is not installed. */
export function packedProgram() {
  const name = `pushhost-${process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), "pushhost/_program/bin/pushhost");
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    return undefined;
  }
}

/** The program that is used if none is named; the packed one has the version of this client. */
export function standardProgram() {
  return process.env.PUSHHOST || packedProgram() || "pushhost";
}
