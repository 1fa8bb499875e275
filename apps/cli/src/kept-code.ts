import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

/** How long a run goes on until its code is kept, if it has not ended by then, in ms: V8 forgets what has long not been called. */
const longestWaitMs = 30_000;

export interface LoadedScript<Exports> {
  readonly exports: Partial<Exports>;
  /** Keeps what is compiled by now, once, where nothing was kept yet. Never throws: without it, the next start is slower. */
  readonly keep: () => void;
}

/**
 * Runs a file that holds one function expression with the parameters of a CommonJS module. With `keptFile` the functions that
 * a run called are kept compiled; Node's own cache has only those that were compiled on loading, and compiling the others is
 * a third of a start. The name of `keptFile` has to change with the file's content: V8 compares its length only. Throws what
 * reading the file throws.
 */
export function loadScript<Exports>(file: string, keptFile: string | null): LoadedScript<Exports> {
  const cachedData = keptFile === null ? undefined : readKept(keptFile);
  const source = readFileSync(file, "latin1"); // it is ASCII: see tooling/bundle.mjs
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  const module: { exports: Partial<Exports> } = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  const isKept = keptFile === null || script.cachedDataRejected === false;
  return { exports: module.exports, keep: isKept ? () => {} : createKeep(script, keptFile) };
}

function createKeep(script: Script, keptFile: string): () => void {
  const timer = setTimeout(keep, longestWaitMs).unref();
  let isKept = false;
  function keep(): void {
    clearTimeout(timer);
    if (!isKept) write(script, keptFile);
    isKept = true;
  }
  return keep;
}

function readKept(keptFile: string): Buffer | undefined {
  try {
    return readFileSync(keptFile);
  } catch {
    return undefined; // the first run, or not ours to read
  }
}

function write(script: Script, keptFile: string): void {
  const part = `${keptFile}.${process.pid}`;
  try {
    mkdirSync(dirname(keptFile), { recursive: true, mode: 0o700 });
    writeFileSync(part, script.createCachedData(), { mode: 0o600 });
    renameSync(part, keptFile);
  } catch {
    rmSync(part, { force: true }); // a full disk, or nowhere to write
  }
}
