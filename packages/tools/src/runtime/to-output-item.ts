import { countBytes } from "@unroll/text";
import { type ContentPart, type ToolCallItem, type ToolOutputItem, toToolOutput } from "@unroll/protocol";
import { capText } from "../output/cap-text.ts";
import { createOutputRecord } from "../output/output-record.ts";
import type { OutputFiles } from "../port/output-files.ts";
import type { ToolResult } from "../tool/tool.ts";

export interface OutputBounds {
  /** Limit of the text, all parts together. */
  readonly maxBytes: number;
  /** As of `ToolRuntimeOptions`. */
  readonly files: OutputFiles | null;
}

/** The one output of a call. Text that is too long loses its middle, and begins with where it lies whole. */
export async function toOutputItem(
  call: ToolCallItem,
  output: ToolResult["output"],
  { maxBytes, files }: OutputBounds,
): Promise<ToolOutputItem> {
  const text = typeof output === "string" ? output : output.map((part) => ("text" in part ? part.text : "")).join("\n");
  const place = countBytes(text) <= maxBytes ? "" : await keepWhole(text, files);
  if (typeof output === "string") return toToolOutput(call, capText(place + output, maxBytes));
  const parts = place === "" ? output : [{ type: "input_text", text: place } as const, ...output];
  return toToolOutput(call, capParts(parts, maxBytes));
}

async function keepWhole(text: string, files: OutputFiles | null): Promise<string> {
  const record = createOutputRecord(files, 0);
  await record.write(text);
  await record.close();
  return (await record.locate()).map((line) => `${line}\n`).join("");
}

function capParts(parts: readonly ContentPart[], maxBytes: number): readonly ContentPart[] {
  let left = maxBytes;
  return parts.map((part) => {
    if (!("text" in part)) return part;
    const text = capText(part.text, left);
    left -= countBytes(text);
    return { ...part, text };
  });
}
