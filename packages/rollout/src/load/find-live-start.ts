import type { FileHandle } from "node:fs/promises";
import { readLines } from "../file/read-lines.ts";
import { createLineTypeTest } from "../line/has-line-type.ts";
import { beginsEpoch, readLineHead } from "../line/read-line-head.ts";

const mayTellOfEpoch = createLineTypeTest("compacted", "unroll");

/**
 * Where in a file that begins which has to be read to go on: what is sent now, and the epoch before it, which can be returned
 * to. What is older is read when somebody returns further. In bytes from the beginning; reads the file once.
 */
export async function findLiveStart(file: FileHandle): Promise<number> {
  const starts = [0];
  for await (const lines of readLines(file, { wants: mayTellOfEpoch })) {
    for (const { bytes, start } of lines) {
      if (beginsEpoch(bytes)) starts.push(start);
      else if (starts.length > 1 && isUndone(bytes)) starts.pop();
    }
  }
  return starts.at(-2) ?? 0;
}

function isUndone(line: Uint8Array): boolean {
  const head = readLineHead(line);
  return head?.type === "unroll" && head.kind === "epoch.undone";
}
