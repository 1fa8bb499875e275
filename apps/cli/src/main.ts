import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { becomeChildOfInit } from "@unroll/process-tree";
import { saveMemoryLater } from "./memory-flags.ts";
import { openParts, type ProgramParts } from "./program-parts.ts";
import { describeVersion, findProgramName } from "./version.ts";
import { wrapHelp } from "./wrap-help.ts";

/** All but this file, by the names of its parts: `tooling/bundle.mjs` writes both. */
declare const programParts: Readonly<Record<string, string>>;

/** Beside this file; `tooling/bundle.mjs` writes it, by `--help` of the program. */
const helpFile = "help.txt";

type Program = typeof import("./start-program.ts");

// The writer reports a reader that has gone, or a full disk; neither must end in a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const alone = becomeChildOfInit(process);
if (alone !== null) complain(alone);
const name = findProgramName(process.argv[1] ?? "", process.env);
delete process.env["UNROLL_AS"]; // commands that the model runs start as what they are

// The cheapest questions are answered before anything is loaded.
const answer = process.argv.length === 3 ? findAnswer(process.argv[2]) : null;
if (answer !== null) {
  process.stdout.once("error", complainOfOutput);
  process.stdout.write(answer);
} else if (!isNodeNewEnough(process.versions.node)) {
  complain(
    `needs Node.js ^24.16.0 or >=26.0.0, but this is ${process.version}. Install one, or run npm start in a checkout, which downloads it.`,
  );
  process.exitCode = 1;
} else {
  runProgram(process.argv.slice(2)).catch((error: unknown) => {
    complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  });
}

function findAnswer(question: string | undefined): string | null {
  if (question === "--version" || question === "-V") return `${describeVersion(name)}\n`;
  return question === "--help" || question === "-h" ? readHelp() : null;
}

/** As the program itself wrote it when it was bundled: to define all subcommands takes as long as a start. Null: it is not there. */
function readHelp(): string | null {
  try {
    const text = readFileSync(join(import.meta.dirname, helpFile), "utf8");
    const { isTTY, columns } = process.stdout;
    return isTTY && columns > 0 ? wrapHelp(text, columns) : text;
  } catch {
    return null;
  }
}

async function runProgram(args: readonly string[]): Promise<void> {
  const folder = findCodeFolder();
  const kind = nameRun(args);
  const nameKept = (file: string) =>
    folder === null ? null : join(folder, `${basename(file)}-${process.version}-${kind}`);
  const program = loadProgram(nameKept);
  const startProgram = program?.exports.startProgram;
  if (program === null || startProgram === undefined) process.exit(1);
  saveMemoryLater();
  const ownFolders = [dirname(import.meta.dirname), ...(folder === null ? [] : [folder])];
  const exitCode = await startProgram({ args, name, ownFolders, complain });
  if (exitCode === 0) program.keep();
  process.exit(exitCode);
}

function complainOfOutput(error: Error): void {
  process.exitCode = error.message.includes("EPIPE") ? 141 : 1;
  if (process.exitCode === 141) return;
  const describe = loadProgram(() => null)?.exports.describeSystemError;
  complain(`stdout cannot be written: ${describe === undefined ? error.message : describe(error)}.`);
}

function complain(text: string): void {
  process.stderr.write(`unroll: ${text}\n`);
}

/** Null, and told: the system does not let us read our own code, for it opens too many files or has too little memory. */
function loadProgram(nameKept: (file: string) => string | null): ProgramParts<Program> | null {
  try {
    return openParts<Program>({
      folder: import.meta.dirname,
      files: programParts,
      first: "./start/program.js",
      nameKept,
    });
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    const remedy = error.message.startsWith("EMFILE") ? " Raise the limit of open files: ulimit -n 1024." : "";
    complain(`cannot read its own code: ${error.message}.${remedy}`);
    return null;
  }
}

/** Code that is kept from one run is for runs that do the same. Options may come before the subcommand. */
function nameRun(args: readonly string[]): string {
  if (args.some((arg) => arg === "--help" || arg === "-h")) return "help";
  const [first = ""] = args;
  if (/^[a-z][a-z-]{1,15}$/.test(first)) return first;
  return args.includes("exec") ? "exec" : "other";
}

function isNodeNewEnough(running: string): boolean {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  return major >= 26 || (major === 24 && minor >= 16);
}

/** Where compiled code is kept between runs: a folder of the user's own, unless the user says another one. Null: nowhere. */
function findCodeFolder(): string | null {
  if (process.env["NODE_DISABLE_COMPILE_CACHE"]) return null;
  const named = process.env["NODE_COMPILE_CACHE"];
  const cache = process.env["XDG_CACHE_HOME"] || join(findUserHome() ?? "", ".cache");
  const folder = named ? join(named, "unroll") : join(cache, "unroll", "compiled");
  return isAbsolute(folder) && !folder.startsWith("/proc/") ? folder : null; // there Node.js would try for ever: findHomeFault
}

/** Null: the system knows no user of this id, as in a container that was given another one. */
function findUserHome(): string | null {
  try {
    return homedir();
  } catch {
    return null;
  }
}
