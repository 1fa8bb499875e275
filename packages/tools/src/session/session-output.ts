import type { CapturedOutput } from "@unroll/protocol";
import { createOutputBuffer } from "../output/output-buffer.ts";
import { createOutputRecord, type OutputRecord } from "../output/output-record.ts";
import type { OutputFiles } from "../port/output-files.ts";
import type { ToolContext } from "../tool/tool.ts";

/**
 * A command's output: kept for the next report, recorded as a whole, and live for the calls that
 * wait for it.
 */
export interface SessionOutput extends Pick<OutputRecord, "locate" | "close"> {
  /** Resolves when it is kept, and when those who follow keep up. One call at a time. */
  write(text: string): Promise<void>;
  /** The output since the last call of `take`. */
  take(): CapturedOutput;
  /** The end of all that was written, for a person; taking takes nothing from it. */
  tail(): string;
  /** Shows what is written, beginning with what was not taken yet, until `end` settles. */
  follow(context: ToolContext, end: Promise<unknown>): Promise<void>;
}

export interface SessionOutputOptions {
  readonly itemId: string;
  /** How much of it is kept for a report. */
  readonly maxBytes: number;
  /** As of `CommandPorts`. */
  readonly files: OutputFiles | null;
}

/** A few screens. */
const tailCharacters = 16_384;

export function createSessionOutput({ itemId, maxBytes, files }: SessionOutputOptions): SessionOutput {
  const record = createOutputRecord(files, maxBytes);
  const followers = new Set<ToolContext>();
  let unreported = createOutputBuffer(maxBytes);
  let tail = "";

  /** Where several calls wait for the same session, one of them tells. */
  async function show(delta: string): Promise<void> {
    const [first] = followers;
    if (delta !== "") await first?.emit({ type: "item.delta", item_id: itemId, kind: "command_output", delta });
  }

  return {
    locate: record.locate,
    close: record.close,
    tail: () => tail,
    async write(text) {
      unreported.write(text);
      tail = (tail + text).slice(-tailCharacters);
      await record.write(text);
      await show(text);
    },
    take() {
      const output = unreported.read();
      unreported = createOutputBuffer(maxBytes);
      return output;
    },
    async follow(context, end) {
      const isFirst = followers.size === 0;
      followers.add(context);
      try {
        if (isFirst) await show(unreported.read().text);
        await end;
      } finally {
        followers.delete(context);
      }
    },
  };
}
