import type { CallThreadItem } from "@unroll/protocol";
import type { ToolResult } from "../tool/tool.ts";

/** How a call ended, for the model and for those who follow the thread. */
export type CallEnding =
  | {
      readonly type: "ending.ran";
      readonly result: ToolResult;
      /** These two as of a `CallEnd`. */
      readonly fault?: string;
      readonly item?: CallThreadItem | null;
    }
  | {
      readonly type: "ending.stopped";
      readonly status: "failed" | "declined";
      /** One or more sentences. */
      readonly reason: string;
      /** What the model reads. */
      readonly output: string;
      /** Absent: what was shown of the call so far, stopped with `reason`. */
      readonly item?: CallThreadItem;
    };
