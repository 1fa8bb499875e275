import { closeSync, openSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { runScript, type ScriptFile } from "./kept-code.ts";
import { saveMemory } from "./memory-flags.ts";

export interface ProgramParts<Exports> {
  /** The first chunk's exports. */
  readonly exports: Partial<Exports>;
  /** Keeps what is compiled by now of each part that was used: see `runScript`. */
  readonly keep: () => void;
}

export interface PartsOptions {
  /** Where the files are. */
  readonly folder: string;
  /** By the names of the parts. */
  readonly files: Readonly<Record<string, string>>;
  /** The chunk that is loaded at once, as `./part/name.js`. */
  readonly first: string;
  /** Where the compiled code of one of the files is kept; null: nowhere. */
  readonly nameKept: (file: string) => string | null;
}

interface Module<Exports = unknown> {
  exports: Exports;
}

type Chunk = (exports: unknown, require: (id: string) => unknown, module: Module) => void;

/** The scope of a part's file, set by `tooling/bundle.mjs`: the names that its code uses, and where its chunks go. */
interface PartScope {
  readonly chunks: Record<string, Chunk>;
  readonly loadOnUse: typeof createLate;
  readonly moduleUrl: string;
  readonly __filename: string;
  readonly __dirname: string;
}

/**
 * A program in parts, each of which is read when the first of its chunks is loaded. All files are opened at once, so that a
 * long run continues with its own code after an update has removed them. Where the system lets us open too few files, each is
 * opened when it is read. Throws what opening and reading them throws.
 */
export function openParts<Exports>({ folder, files, first, nameKept }: PartsOptions): ProgramParts<Exports> {
  const closed = openFiles(Object.entries(files).map(([part, name]) => [part, join(folder, name)]));
  const chunks: Record<string, Chunk> = {};
  const loaded = new Map<string, Module>();
  const keeps: (() => void)[] = [];
  const requireElsewhere = createRequire(join(folder, "program.cjs"));
  const main: Module<Partial<Exports>> = { exports: {} };
  run(first, main);
  return { exports: main.exports, keep: () => keeps.forEach((keep) => keep()) };

  function load(id: string): unknown {
    const known = loaded.get(id);
    if (known !== undefined) return known.exports;
    if (id.startsWith("./")) return run(id, { exports: {} });
    const other: unknown = requireElsewhere(id);
    if (id.endsWith(":child_process")) saveMemory(); // commands will run; on a fast machine, V8 collects before the timer
    return other;
  }

  function run(id: string, module: Module): unknown {
    const [, part = ""] = id.split("/");
    const file = closed.get(part);
    if (file !== undefined) read(file);
    closed.delete(part);
    const chunk = chunks[id];
    if (chunk === undefined) throw new Error(`The program has no chunk ${id}.`);
    loaded.set(id, module);
    chunk(module.exports, load, module);
    return module.exports;
  }

  function read(file: ScriptFile): void {
    const { path } = file;
    const place = { moduleUrl: pathToFileURL(path).href, __filename: path, __dirname: dirname(path) };
    const scope: PartScope = { chunks, loadOnUse: createLate, ...place };
    keeps.push(runScript(file, nameKept(path), scope));
  }
}

function openFiles(paths: readonly (readonly [part: string, path: string])[]): Map<string, ScriptFile> {
  const opened: number[] = [];
  try {
    return new Map(paths.map(([part, path]) => [part, { path, descriptor: open(path, opened) }]));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE")))
      throw error;
    for (const descriptor of opened) closeSync(descriptor);
    return new Map(paths.map(([part, path]) => [part, { path, descriptor: null }]));
  }
}

function open(path: string, opened: number[]): number {
  const descriptor = openSync(path, "r");
  opened.push(descriptor);
  return descriptor;
}

/** Node's own modules are loaded when something of them is used. */
function createLate<Value>(load: () => Value): { readonly it: Value } {
  let loaded: { readonly value: Value } | null = null;
  return {
    get it() {
      loaded ??= { value: load() };
      return loaded.value;
    },
  };
}
