import type { FileSearch } from "./file/file-search.ts";
import { joinPath } from "./file/path.ts";
import { readText, type TextRead } from "./file/read-text.ts";
import type { PromptSource } from "./initial-prompt.ts";
import type { PromptContext } from "./prompt-context.ts";
import { PromptError } from "./prompt-error.ts";

const instructionsMaxBytes = 256 * 1024;

/** The folder of the base instructions in this package. A bundle of it has to bring that folder along. */
export const instructionsDirectory: URL = new URL("../instructions/", import.meta.url);

/** The name of a model family's base instructions in that folder. There is not one for every family. */
export function instructionsFileName(familyId: string): string {
  return `${familyId}.md`;
}

interface Instructions {
  readonly text: string;
  readonly source: PromptSource;
}

/**
 * The configured instructions file, else the model family's, else the default ones with a warning.
 *
 * @throws {PromptError} when the file that should be used is not there, cannot be read, is empty or is not text.
 */
export async function readInstructions(search: FileSearch, context: PromptContext): Promise<Instructions> {
  if (context.instructionsFile !== null) return readRequired(search, context.instructionsFile);
  const { instructionsFolder, modelFamilyId } = context;
  const path = joinPath(instructionsFolder, instructionsFileName(modelFamilyId));
  const isFileName = /^[\w.-]+$/u.test(modelFamilyId);
  if (isFileName && (await search.files.read(path, 0)).type !== "missing") return readRequired(search, path);
  search.warn(`There are no base instructions for the model family \`${modelFamilyId}\`: the default ones are used.`);
  return readRequired(search, joinPath(instructionsFolder, instructionsFileName("default")));
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
