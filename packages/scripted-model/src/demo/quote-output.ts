import { commandOutput } from "./scene.ts";

const maxLines = 8;

/** The first lines of a tool's output, as a block of text. */
export function quoteOutput(output: string): string {
  const lines = commandOutput(output).trim().split("\n");
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines), "…"] : lines;
  return ["```", ...shown, "```"].join("\n");
}
