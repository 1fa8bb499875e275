/**
 * V8's compiler frees its memory at once, V8 collects the heap when it is half as large again as what was alive, and Turbofan, which
 * makes the fastest code and is large, stays unused: 1,000 calls take a third less memory (bench/README.md).
 */
const savings = [
  { flag: "--no-maglev-destroy-on-background", standard: "--maglev-destroy-on-background" },
  { flag: "--heap-growing-percent=50", standard: "--heap-growing-percent=0" },
  { flag: "--no-turbofan", standard: "--turbofan" },
] as const;

/** V8 writes to stderr about a flag that it does not know. In these versions of Node.js it knows them. */
const triedVersions: ReadonlySet<string> = new Set(["24", "26"]);

/**
 * In ms: a start is over by then, which would take 12 % more CPU time, because V8 does not take Node's own kept code with other
 * flags. Later is too late: V8 decides at each collection how large the heap grows until the next one.
 */
const startMs = 300;

/** Null: not yet. */
let setFlag: ((flag: string) => void) | null = null;

/** Saves memory once the start is over. */
export function saveMemoryLater(): void {
  setTimeout(saveMemory, startMs).unref();
}

/** Saves memory from now on. */
export function saveMemory(): void {
  const [major = ""] = process.versions.node.split(".");
  if (setFlag !== null || !triedVersions.has(major)) return;
  setFlag = process.getBuiltinModule("node:v8").setFlagsFromString; // a start does without
  for (const { flag } of savings) setFlag(flag);
}

/** Runs `work`, in which V8 reads or writes kept code, with the flags of the start. */
export function withStandardFlags<Result>(work: () => Result): Result {
  const set = setFlag;
  for (const { standard } of savings) set?.(standard);
  try {
    return work();
  } finally {
    for (const { flag } of savings) set?.(flag);
  }
}
