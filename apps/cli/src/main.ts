#!/usr/bin/env -S node --max-semi-space-size=8
import module from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { version } from "./version.ts";

// A reader that has gone, or a full disk, is told by whoever writes; it must not end in a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// The cheapest question is answered before anything is loaded.
if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-V")) {
  process.stdout.once("error", (error) => void complainOfOutput(error));
  process.stdout.write(`${version}\n`);
} else if (!isNodeNewEnough(process.versions.node)) {
  complain(
    `needs Node.js ^24.16.0 or >=26.0.0, and this is ${process.version}: install one, or run npm start in a checkout, which fetches it.`,
  );
  process.exitCode = 1;
} else {
  const ownFolders = [dirname(import.meta.dirname), ...keepCompiledCode()];
  const program = await loadProgram();
  process.exit(
    program === null ? 1 : await program.startProgram({ args: process.argv.slice(2), ownFolders, complain }),
  );
}

async function complainOfOutput(error: Error): Promise<void> {
  process.exitCode = error.message.includes("EPIPE") ? 141 : 1;
  if (process.exitCode === 141) return;
  const { describeSystemError } = await import("@unroll/text");
  complain(`stdout cannot be written: ${describeSystemError(error)}.`);
}

function complain(text: string): void {
  process.stderr.write(`unroll: ${text}\n`);
}

/** Null, and told: the system does not let us read our own code, for it opens too many files or has too little memory. */
async function loadProgram(): Promise<typeof import("./start-program.ts") | null> {
  try {
    return await import("./start-program.ts");
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    complain(`its own code cannot be read: ${error.message}.`);
    return null;
  }
}

function isNodeNewEnough(running: string): boolean {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  return major >= 26 || (major === 24 && minor >= 16);
}

/** Compiled code is kept between runs, in a folder of the user's own: Node's default is shared by all users. */
function keepCompiledCode(): readonly string[] {
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const folder = join(cache, "unroll", "compiled");
  const isPossible = isAbsolute(folder) && !folder.startsWith("/proc/"); // there Node.js would try for ever: findHomeFault
  if (process.env["NODE_COMPILE_CACHE"] !== undefined || !isPossible) return [];
  module.enableCompileCache(folder);
  return [folder];
}
