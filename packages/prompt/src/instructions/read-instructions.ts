import type { FileSearch } from "../file/file-search.ts";
import { joinPath } from "../file/path.ts";
import { readText, type TextRead } from "../file/read-text.ts";
import type { PromptSource } from "../initial-prompt.ts";
import type { PromptContext } from "../prompt-context.ts";
import { PromptError } from "../prompt-error.ts";
import type { PromptTool } from "../prompt-tool.ts";
import { createDefaultInstructions, findBuiltInInstructions } from "./built-in-instructions.ts";

const instructionsMaxBytes = 256 * 1024;

interface Instructions {
  readonly text: string;
  readonly source: PromptSource;
}

/**
 * The program's own instructions, else the configured file, else the model family's, else the default ones with a warning.
 *
 * @throws {PromptError} when the file that should be used is not there, cannot be read, is empty or is not text.
 */
export async function readInstructions(search: FileSearch, context: PromptContext): Promise<Instructions> {
  const { instructions, instructionsFile, instructionsFolder, modelFamilyId: family, tools } = context;
  if (instructions !== undefined) return toInstructions("the program", instructions);
  if (instructionsFile !== null) return readRequired(search, instructionsFile);
  const own =
    instructionsFolder === null ? findBuiltIn(family, tools) : await readOfFolder(search, instructionsFolder, family);
  if (own !== null) return own;
  search.warn(`There are no base instructions for the model family \`${family}\`: the default ones are used.`);
  if (instructionsFolder !== null) return readRequired(search, joinPath(instructionsFolder, "default.md"));
  return toInstructions("built in: default", createDefaultInstructions(tools));
}

function findBuiltIn(family: string, tools: readonly PromptTool[]): Instructions | null {
  const text = findBuiltInInstructions(family, tools);
  return text === null ? null : toInstructions(`built in: ${family}`, text);
}

async function readOfFolder(search: FileSearch, folder: string, family: string): Promise<Instructions | null> {
  const path = joinPath(folder, `${family}.md`);
  const isFileName = /^[\w.-]+$/u.test(family);
  const isThere = isFileName && (await search.files.read(path, 0)).type !== "missing";
  return isThere ? readRequired(search, path) : null;
}

function toInstructions(path: string, text: string): Instructions {
  const bytes = new TextEncoder().encode(text).length;
  return { text: text.trim(), source: { kind: "instructions", path, bytes, truncated: false } };
}

async function readRequired(search: FileSearch, path: string): Promise<Instructions> {
  const read = await readText(search.files, path, instructionsMaxBytes);
  if (read.type !== "text") throw toError(path, read);
  if (read.bytes < read.size) throw invalidFile(path, `has ${read.size} bytes; the limit is ${instructionsMaxBytes}`);
  if (read.text.trim() === "") throw invalidFile(path, "is empty");
  return { text: read.text.trim(), source: { kind: "instructions", path, bytes: read.bytes, truncated: false } };
}

function toError(path: string, read: Exclude<TextRead, { type: "text" }>): PromptError {
  switch (read.type) {
    case "missing":
      return new PromptError("missing_file", path, `The instructions file ${path} is not there. Check its path.`);
    case "unreadable":
      return new PromptError("unreadable_file", path, `Cannot read ${path}: ${read.reason}. Make it readable.`);
    case "unusable":
      return invalidFile(path, read.reason);
  }
}

function invalidFile(path: string, reason: string): PromptError {
  const message = `The instructions file ${path} ${reason}. Put instructions into it, as UTF-8 text.`;
  return new PromptError("invalid_file", path, message);
}
