import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { shortenText } from "@unroll/text";
import type { TerminalCommand } from "../command/terminal-command.ts";
import { fillPrompt } from "./fill-prompt.ts";
import { parsePromptFile } from "./parse-prompt-file.ts";

const shownCharacters = 60;

/** The prompts of the person, `$CODEX_HOME/prompts/NAME.md`, as commands `/prompts:NAME`; a folder that is not there has none. */
export async function readPromptFiles(codexHome: string): Promise<readonly TerminalCommand[]> {
  const folder = join(codexHome, "prompts");
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => !entry.isDirectory() && /^[\w.-]+\.md$/.test(entry.name))
    .map(({ name }) => name);
  const read = await Promise.all(names.toSorted().map((name) => readPromptCommand(folder, name)));
  return read.flatMap((command) => command ?? []);
}

async function readPromptCommand(folder: string, file: string): Promise<TerminalCommand | null> {
  const text = await readFile(join(folder, file), "utf8").catch(() => null);
  if (text === null) return null;
  const { description, argumentHint, body } = parsePromptFile(text);
  const [line = ""] = body.trimStart().split("\n");
  return {
    name: `prompts:${file.slice(0, -".md".length)}`,
    description: description ?? shortenText(line, shownCharacters),
    argument: argumentHint,
    timing: "always",
    async run({ send, tell }, argument) {
      const filled = fillPrompt(body, argument);
      if (filled.type === "missing") tell(`This prompt needs ${filled.names.map((name) => `${name}=…`).join(" ")}.`);
      else send(filled.text);
    },
  };
}
