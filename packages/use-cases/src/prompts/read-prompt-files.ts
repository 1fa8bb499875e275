import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { shortenText } from "@unroll/text";

/** A prompt of the person's own: `fillPrompt` puts arguments into its body. */
export interface NamedPrompt {
  /** `prompts:NAME`: what people type behind a slash. */
  readonly name: string;
  /** The file's, or how it begins. */
  readonly description: string;
  /** What may stand behind its name; null: the file does not say. */
  readonly argumentHint: string | null;
  readonly body: string;
}

const shownCharacters = 60;

/** The prompts of the person, `$CODEX_HOME/prompts/NAME.md`; a folder that is not there has none. */
export async function readPromptFiles(codexHome: string): Promise<readonly NamedPrompt[]> {
  const folder = join(codexHome, "prompts");
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => !entry.isDirectory() && /^[\w.-]+\.md$/.test(entry.name))
    .map(({ name }) => name);
  const read = await Promise.all(names.toSorted().map((name) => readPrompt(folder, name)));
  return read.flatMap((prompt) => prompt ?? []);
}

async function readPrompt(folder: string, file: string): Promise<NamedPrompt | null> {
  const text = await readFile(join(folder, file), "utf8").catch(() => null);
  if (text === null) return null;
  const { description, argumentHint, body } = parsePromptFile(text);
  const [line = ""] = body.trimStart().split("\n");
  return {
    name: `prompts:${file.slice(0, -".md".length)}`,
    description: description ?? shortenText(line, shownCharacters),
    argumentHint,
    body,
  };
}

/** A prompt of the person's, as its file has it. */
interface PromptFile {
  /** Null: the file does not say. */
  readonly description: string | null;
  /** What may stand behind its name; null: the file does not say. */
  readonly argumentHint: string | null;
  readonly body: string;
}

/** Takes the lines `description:` and `argument-hint:` out of a front matter between `---` lines; all else is the prompt. */
function parsePromptFile(text: string): PromptFile {
  const [, front = null, body = ""] = /^---\r?\n(.*?)^---\r?\n?(.*)$/ms.exec(text) ?? [];
  if (front === null) return { description: null, argumentHint: null, body: text };
  return { description: readKey(front, "description"), argumentHint: readKey(front, "argument-hint"), body };
}

function readKey(front: string, key: string): string | null {
  const line = front.split(/\r?\n/).find((each) => each.startsWith(`${key}:`));
  const value = line?.slice(key.length + 1).trim() ?? "";
  return value === "" ? null : value.replace(/^(["'])(.*)\1$/, "$2");
}
