import type { FileSearch } from "../prompt-files.ts";
import { joinPath } from "../file/path.ts";
import { readText, type TextRead } from "../file/read-text.ts";
import type { PromptSource } from "../initial-prompt.ts";
import type { PromptContext, PromptTool } from "../prompt-context.ts";
import { PromptError } from "../prompt-error.ts";
import { instructions as forAll } from "./texts/default.ts";
import { instructions as forGpt5Codex } from "./texts/gpt-5-codex.ts";
import { instructions as forGpt5 } from "./texts/gpt-5.ts";
import { instructions as forGptOss } from "./texts/gpt-oss.ts";
import { instructions as forDemo } from "./texts/unroll-demo.ts";

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
  const builtIn = instructionsFolder === null ? findBuiltInInstructions(family, tools) : null;
  if (builtIn !== null) return toInstructions(`built in: ${family}`, builtIn);
  const ofFolder = instructionsFolder === null ? null : await readOfFolder(search, instructionsFolder, family);
  if (ofFolder !== null) return ofFolder;
  search.warn(`There are no base instructions for the model family \`${family}\`: the default ones are used.`);
  if (instructionsFolder !== null) return readRequired(search, joinPath(instructionsFolder, "default.md"));
  return toInstructions("built in: default", fitToTools(forAll, tools));
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
      return new PromptError("missing_file", path, `The instructions file ${path} does not exist. Check its path.`);
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

/** Names for several tools at once: a part counts where the request has one of them. */
const groups: Readonly<Record<string, readonly string[]>> = {
  commands: ["exec_command", "shell_command", "shell"],
  others: ["update_plan", "view_image", "web_search"],
  builtins: ["exec_command", "shell_command", "shell", "apply_patch", "update_plan", "view_image", "web_search"],
};

/** A part without a part in it: `{{#name}}…{{/name}}`, or `{{^name}}…{{/name}}`. */
const innermost = /\{\{([#^])([\w.]+)\}\}((?:(?!\{\{[#^]).)*?)\{\{\/\2\}\}/s;

/**
 * Our base instructions as they fit the tools of a request: `{{#name}}…{{/name}}` stays where it has the tool, `{{^name}}…{{/name}}`
 * where it has not. `name.type` is a tool of this type; a group is any of its tools. A tag alone on its line goes with the line.
 */
export function fitToTools(text: string, tools: readonly PromptTool[]): string {
  const names = new Set(listNames(tools));
  for (const [group, members] of Object.entries(groups)) if (members.some((name) => names.has(name))) names.add(group);
  let fitted = text.replaceAll(/^(\{\{[#^/][\w.]+\}\})\n/gm, "$1");
  for (let part = innermost.exec(fitted); part !== null; part = innermost.exec(fitted)) {
    const [all, kind, name = "", body = ""] = part;
    fitted = fitted.replace(all, () => (names.has(name) === (kind === "#") ? body : ""));
  }
  return fitted;
}

/** A tool's name, and its name with its type. */
function listNames(tools: readonly PromptTool[]): readonly string[] {
  return tools.flatMap(({ name, type }) => (name === undefined ? [type] : [name, `${name}.${type}`]));
}

/** The base instructions of the model families that have their own, and `default` for all others. */
const texts: ReadonlyMap<string, string> = new Map([
  ["default", forAll],
  ["gpt-5-codex", forGpt5Codex],
  ["gpt-5", forGpt5],
  ["gpt-oss", forGptOss],
  ["unroll-demo", forDemo],
]);

/** The families that `findBuiltInInstructions` knows. */
export const familiesWithInstructions: readonly string[] = [...texts.keys()];

/** The base instructions of this package for a model family (`ModelFamily.id`), adapted to the tools; null where it has none of its own. */
export function findBuiltInInstructions(familyId: string, tools: readonly PromptTool[]): string | null {
  const text = texts.get(familyId);
  if (text === undefined) return null;
  const names = listNames(tools).join(" ");
  const last = lastFitted.get(familyId);
  if (last?.names === names) return last.fitted;
  const fitted = fitToTools(text, tools);
  lastFitted.set(familyId, { names, fitted });
  return fitted;
}

/** Hundreds of threads of a process have the same tools, and share one text. */
const lastFitted = new Map<string, { readonly names: string; readonly fitted: string }>();
