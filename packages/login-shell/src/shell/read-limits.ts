import { type DumpFields, readLines } from "./read-fields.ts";

/** By their letters, as `ulimit` takes them. `limitLine` finds the `letter` and the `value` of a line as this shell's `ulimit -a` writes it. */
export function readLimits(fields: DumpFields, tag: string, limitLine: RegExp): ReadonlyMap<string, string> {
  const found = readLines(fields, tag).flatMap((line): [string, string][] => {
    const { letter, value } = limitLine.exec(line)?.groups ?? {};
    return letter === undefined || value === undefined ? [] : [[letter, value]];
  });
  return new Map(found);
}
