import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FuzzTargetName } from "./open-fuzz-target.ts";

const conformance = join(import.meta.dirname, "../../../conformance");
/** Fixtures of other tests that are part of the corpus. */
const alsoFrom: Readonly<Record<FuzzTargetName, readonly string[]>> = {
  sse: ["answers/*/stream.sse"],
  answer: ["answers/*/stream.sse"],
  patch: ["apply-patch/*/patch.txt"],
  rules: ["exec-policy/*/rules.rules"],
  config: [],
  rollout: ["threads/*.jsonl"],
};

/** An input that was worth keeping. */
export interface CorpusFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** All in `conformance/fuzz/<target>`, and what else is of its kind, by name. */
export function readCorpus(target: FuzzTargetName): readonly CorpusFile[] {
  const names = globSync([`fuzz/${target}/*`, ...alsoFrom[target]], { cwd: conformance }).toSorted();
  return names.map((name) => ({ name, bytes: readFileSync(join(conformance, name)) }));
}

/** Where an input that broke a law is kept. */
export function toCorpusPath(target: FuzzTargetName, name: string): string {
  return join(conformance, "fuzz", target, name);
}
