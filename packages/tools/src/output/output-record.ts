import { countBytes } from "@unroll/text";
import type { OutputFile, OutputFiles } from "../port/output-files.ts";

/** All of a command's output, for the case that it is too long for the model. In memory while it is short. */
export interface OutputRecord {
  /** Resolves when it is kept. One call at a time. */
  readonly write: (text: string) => Promise<void>;
  /** The lines that tell the model where the output lies whole; none where no file could be made. */
  readonly locate: () => Promise<readonly string[]>;
  /** Call it when the output is complete. `locate` still works afterwards. */
  readonly close: () => Promise<void>;
}

/** Output of up to `maxBytes` goes to a file only when it is asked for. Without `files` nothing is kept. */
export function createOutputRecord(files: OutputFiles | null, maxBytes: number): OutputRecord {
  let short = "";
  let shortBytes = 0;
  let opening: Promise<OutputFile | null> | null = null;
  let isClosed = false;

  async function openFile(from: OutputFiles): Promise<OutputFile | null> {
    const file = await from.open();
    await file?.write(short);
    short = "";
    if (isClosed) await file?.close();
    return file;
  }

  return {
    async write(text) {
      if (files === null) return;
      if (opening === null) {
        short += text;
        shortBytes += countBytes(text);
        if (shortBytes > maxBytes) await (opening = openFile(files));
      } else {
        await (await opening)?.write(text);
      }
    },
    async locate() {
      if (files === null) return [];
      const file = await (opening ??= openFile(files));
      return file === null ? [] : [describePlace(file)];
    },
    async close() {
      isClosed = true;
      await (await opening)?.close();
    },
  };
}

function describePlace({ path, keptBytes, droppedBytes }: OutputFile): string {
  return droppedBytes === 0 ? `Whole output: ${path}` : `Output, its first ${keptBytes} bytes: ${path}`;
}
