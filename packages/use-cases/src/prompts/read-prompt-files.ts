import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openPromptFiles, type ResolvedConfig } from "@unroll/harness";
import { shortenText } from "@unroll/text";

/** A prompt of the person's own: `fillPrompt` puts arguments into its body. */
interface NamedPrompt {
  /** `prompts:NAME`: what people type behind a slash. */
  readonly name: string;
  /** The file's, or how it begins. */
  readonly description: string;
  /** The argument that its name takes; null: the file does not say. */
  readonly argumentHint: string | null;
  readonly body: string;
}

/** The prompts that can be used, and a sentence for each file that was refused. */
export interface ReadPrompts {
  readonly prompts: readonly NamedPrompt[];
  readonly warnings: readonly string[];
}

const shownCharacters = 60;
/** For one file. */
const maxBytes = 2 ** 20;

/** The prompts of the person, `$CODEX_HOME/prompts/NAME.md`; a folder that is not there has none. */
export async function readPromptFiles(
  config: Pick<ResolvedConfig, "cwd" | "projectRoot" | "codexHome" | "sandboxSettings">,
): Promise<ReadPrompts> {
  const folder = join(config.codexHome, "prompts");
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => !entry.isDirectory() && /^[\w.-]+\.md$/.test(entry.name))
    .map(({ name }) => name);
  if (names.length === 0) return { prompts: [], warnings: [] };
  const files = await openPromptFiles(config);
  const prompts: NamedPrompt[] = [];
  const warnings: string[] = [];
  for (const name of names.toSorted()) {
    const path = join(folder, name);
    const read = await files.read(path, maxBytes);
    if (read.type === "refused") warnings.push(`${path} ${read.reason}: it was skipped.`);
    if (read.type !== "read") continue;
    if (read.size > maxBytes) warnings.push(`${path} has more than ${maxBytes / 2 ** 20} MiB: it was skipped.`);
    else prompts.push(toPrompt(name, new TextDecoder().decode(read.bytes)));
  }
  return { prompts, warnings };
}

function toPrompt(file: string, text: string): NamedPrompt {
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
  /** The hint for the arguments after its name; null: the file has none. */
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
