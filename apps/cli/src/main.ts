#!/usr/bin/env -S node --max-semi-space-size=8
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { version } from "./version.ts";

// The cheapest question is answered before anything is loaded.
if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-V")) {
  process.stdout.write(`${version}\n`);
} else if (!isNodeNewEnough(process.versions.node)) {
  process.stderr.write(
    `unroll: needs Node.js ^24.16.0 or >=26.0.0, and this is ${process.version}: install one, or run npm start in a checkout, which fetches it.\n`,
  );
  process.exitCode = 1;
} else {
  // Compiled code is kept between runs, in a folder of the user's own: Node's default is shared by all users.
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  if (process.env["NODE_COMPILE_CACHE"] === undefined) module.enableCompileCache(join(cache, "unroll", "compiled"));
  const { runProgram } = await import("./program.ts");
  const { createProcessIo } = await import("./create-process-io.ts");
  process.exit(await runProgram(process.argv.slice(2), createProcessIo()));
}

function isNodeNewEnough(running: string): boolean {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  return major >= 26 || (major === 24 && minor >= 16);
}
