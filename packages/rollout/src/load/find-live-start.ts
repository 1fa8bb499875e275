import { type ReadableFile, readLines } from "../file/read-lines.ts";
import { createLineTypeTest } from "../line/has-line-type.ts";
import { beginsEpoch, readLineHead } from "../line/read-line-head.ts";

const mayTellOfEpoch = createLineTypeTest("compacted", "unroll");

/** Bytes from the beginning of the file. */
interface Epochs {
  /** Of what is sent. */
  readonly live: number;
  /** Of the epoch that can be returned to; null: none can. */
  readonly before: number | null;
}

/**
 * Where in a file that begins which has to be read to go on: what is sent now, and the epoch before it, which can be returned
 * to. What is older is neither parsed nor kept. Reads the file once, in constant memory.
 */
export async function findLiveStart(file: ReadableFile): Promise<number> {
  let epochs: Epochs = { live: 0, before: null };
  for await (const lines of readLines(file, { wants: mayTellOfEpoch })) {
    for (const { bytes, start } of lines) {
      if (beginsEpoch(bytes)) epochs = { live: start, before: epochs.live };
      else if (epochs.before !== null && isUndone(bytes)) epochs = { live: epochs.before, before: null };
    }
  }
  return epochs.before ?? epochs.live;
}

function isUndone(line: Uint8Array): boolean {
  const head = readLineHead(line);
  return head?.type === "unroll" && head.kind === "epoch.undone";
}
