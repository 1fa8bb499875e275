import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { withStandardFlags } from "./memory-flags.ts";

/** How long a run lasts until its code is kept, if it has not ended by then, in ms: V8 forgets what has long not been called. */
const longestWaitMs = 30_000;

/** A script's file. */
export interface ScriptFile {
  readonly path: string;
  /** Open, so that it can be read after an update has removed it. Null: too few descriptors. */
  readonly descriptor: number | null;
}

/**
 * Runs a file that holds one function expression, with `scope` for its argument. With `keptFile` the functions that
 * a run called are kept compiled; Node's own cache has only those that were compiled on loading, and compiling the others is
 * a third of a start. The name of `keptFile` has to change with the file's content: V8 compares its length only. Throws what
 * reading the file throws. Returns what keeps all that is compiled by then, once, where nothing was kept yet; that never
 * throws: without it, the next start is slower.
 */
export function runScript(file: ScriptFile, keptFile: string | null, scope: object): () => void {
  const source = withBytes(file, (bytes) => bytes.toString("latin1")); // it is ASCII: see tooling/bundle.mjs
  const script = withStandardFlags(() => compile(source, file.path, keptFile));
  script.runInThisContext()(scope);
  const isKept = keptFile === null || script.cachedDataRejected === false;
  return isKept ? () => {} : createKeep(script, keptFile);
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

function compile(source: string, filename: string, keptFile: string | null): Script {
  if (keptFile === null) return new Script(source, { filename });
  try {
    return withBytes({ path: keptFile, descriptor: null }, (kept) => {
      const code = kept.subarray(0, -checksumBytes);
      const isWhole = kept.readUInt32LE(code.length) === crc32(code);
      return new Script(source, { filename, ...(isWhole && { cachedData: code }) });
    });
  } catch {
    return new Script(source, { filename }); // the first run, or not ours to read
  }
}

/** V8 checks length and version only, and ends the process over what is damaged: so a checksum follows the code. */
const checksumBytes = 4;

/** Gives the bytes of a file to `work`, and frees their memory at once: a short run is over before V8 collects them, 2.5 MiB for one message. */
function withBytes<Result>({ path, descriptor }: ScriptFile, work: (bytes: Buffer) => Result): Result {
  const bytes = readFileSync(descriptor ?? path);
  try {
    return work(bytes);
  } finally {
    if (bytes.length === bytes.buffer.byteLength) bytes.buffer.transfer(0); // small ones share their memory with others
  }
}

function write(script: Script, keptFile: string): void {
  const part = `${keptFile}.${process.pid}`;
  const code = withStandardFlags(() => script.createCachedData());
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32LE(crc32(code));
  try {
    mkdirSync(dirname(keptFile), { recursive: true, mode: 0o700 });
    writeFileSync(part, Buffer.concat([code, checksum]), { mode: 0o600 });
    renameSync(part, keptFile);
  } catch {
    removeIfAny(part); // a full disk, or nowhere to write
  }
}

function removeIfAny(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // as the folder is closed to us, there is none
  }
}
