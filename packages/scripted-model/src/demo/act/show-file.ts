import { quoteWord } from "@unroll/text";
import type { TurnItem } from "../../script/turn.ts";
import { commandOutput, type Scene } from "../scene.ts";

/** Shows a file, whole. */
export function showFile({ exchanges, tools }: Scene, path: string): readonly TurnItem[] {
  if (!tools.run) return [{ text: "I have no tool that reads files here." }];
  // Not to be taken for an option.
  const command = `cat ${quoteWord(path.startsWith("-") ? `./${path}` : path)}`;
  const read = exchanges.find(({ subject }) => subject === command);
  if (!read) return [tools.run(command)];
  const heading = read.exitCode === 0 ? `${path}:` : `I could not read ${path}:`;
  return [{ text: `${heading}\n\n\`\`\`\n${commandOutput(read.output).trimEnd()}\n\`\`\`` }];
}
