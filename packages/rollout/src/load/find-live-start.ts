import { type LineOptions, type ReadableFile, readLines } from "../file/read-lines.ts";
import { beginsEpoch, createLineTypeTest, readLineHead } from "../line/read-line-head.ts";

const mayTellOfEpoch = createLineTypeTest("compacted", "unroll");

interface OpenedEpoch {
  /** In bytes from the beginning of the file. */
  readonly start: number;
  /** Whether a request of the turns was answered in it: the next one is compared with the last of those. */
  isAnswered: boolean;
}

/**
 * The start of the part of a file that resuming needs: the current input, and back to the last answered request. Older
 * parts are read when you rewind to them. In bytes from the beginning; reads the file once.
 */
export async function findLiveStart(file: ReadableFile, size: Pick<LineOptions, "size">): Promise<number> {
  const first: OpenedEpoch = { start: 0, isAnswered: false };
  const opened: OpenedEpoch[] = [];
  const live = (): OpenedEpoch => opened.at(-1) ?? first;
  for await (const lines of readLines(file, { wants: mayTellOfEpoch, ...size })) {
    for (const { bytes, start, isWhole } of lines) {
      if (!isWhole) continue; // it is dropped, so what it would replace is needed
      if (beginsEpoch(bytes)) opened.push({ start, isAnswered: false });
      else if (isOwn(bytes, "epoch.undone")) opened.pop();
      else if (isOwn(bytes, "request") && !isBeside(bytes)) live().isAnswered = true;
    }
  }
  return [first, ...opened].findLast(({ isAnswered }) => isAnswered)?.start ?? live().start;
}

function isOwn(line: Uint8Array, kind: string): boolean {
  const head = readLineHead(line);
  return head?.type === "unroll" && head.kind === kind;
}

function isBeside(line: Uint8Array): boolean {
  return Buffer.from(line.buffer, line.byteOffset, line.length).includes('"is_beside":true');
}
