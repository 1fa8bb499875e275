import type { FileSearch } from "./prompt-files.ts";
import { joinPath } from "./file/path.ts";
import { readText } from "./file/read-text.ts";
import type { PromptContext } from "./prompt-context.ts";
import { PromptError } from "./prompt-error.ts";
import { showPath } from "./text/bounded-text.ts";

/** One AGENTS.md file, or one that stands in for it, as far as the budget let it in. */
interface AgentsDocument {
  readonly path: string;
  /** Without byte order mark. */
  readonly text: string;
  /** How many bytes of the file's `size` are in `text`. */
  readonly bytes: number;
  readonly size: number;
}

/** Everything that AGENTS.md files say to a thread. */
export interface AgentsDocuments {
  /** The one of `$CODEX_HOME`; null when there is none. */
  readonly global: AgentsDocument | null;
  /** At most one a folder, from the project root down to cwd. */
  readonly project: readonly AgentsDocument[];
}

/** Whether some of the file was left out. */
export function isTruncated(document: AgentsDocument): boolean {
  return document.bytes < document.size;
}

/** A configured budget above that counts as that, so that the message holds it. */
const projectDocsMaxBytes = 768 * 1024;
/** The file of `$CODEX_HOME` has a limit of its own. */
const globalDocMaxBytes = 64 * 1024;

const override = "AGENTS.override.md";
const plain = "AGENTS.md";

/**
 * Reads the AGENTS.md file of `$CODEX_HOME`, then one file a folder of `projectFolders` (outermost first) until the
 * budget is used up; what is over it is still listed, with no text. In a folder the first name counts that is there and is
 * text: `AGENTS.override.md`, `AGENTS.md`, then (in a project) the fallback names.
 *
 * @throws {PromptError} `unreadable_file`: rules that a person wrote must not be dropped in silence.
 */
export async function findAgentsDocuments(
  search: FileSearch,
  context: PromptContext,
  projectFolders: readonly string[],
): Promise<AgentsDocuments> {
  const global = await readFirst(search, pathsIn(context.codexHome, []), globalDocMaxBytes);
  if (global !== null && isTruncated(global)) search.warn(cutWarning(global, "Shorten it."));
  const project: AgentsDocument[] = [];
  let budget = Math.min(context.projectDocMaxBytes, projectDocsMaxBytes);
  for (const folder of budget > 0 ? projectFolders : []) {
    const document = await readFirst(search, pathsIn(folder, context.projectDocFallbackFilenames), budget);
    if (document === null) continue;
    project.push(document);
    budget = isTruncated(document) ? 0 : budget - document.bytes;
    if (isTruncated(document)) search.warn(cutWarning(document, "Shorten it, or raise project_doc_max_bytes."));
  }
  return { global, project };
}

function pathsIn(folder: string, fallbackNames: readonly string[]): readonly string[] {
  return [override, plain, ...fallbackNames].map((name) => joinPath(folder, name));
}

async function readFirst(
  search: FileSearch,
  paths: readonly string[],
  maxBytes: number,
): Promise<AgentsDocument | null> {
  for (const path of paths) {
    const read = await readText(search.files, path, maxBytes);
    if (read.type === "text") return { path, text: read.text, bytes: read.bytes, size: read.size };
    if (read.type === "unusable") search.warn(`${path} ${read.reason}: it was skipped.`);
    if (read.type === "unreadable") {
      const hint = "Make it readable, or remove it.";
      throw new PromptError("unreadable_file", path, `Cannot read ${path}: ${read.reason}. ${hint}`);
    }
  }
  return null;
}

function cutWarning(document: AgentsDocument, remedy: string): string {
  return `${document.path}: only ${document.bytes} of ${document.size} bytes are in the prompt. ${remedy}`;
}

const separator = "--- project-doc ---";

/** The text of all files, each of the project under its path; empty when they say nothing. */
export function renderAgentsDocuments(documents: AgentsDocuments): string {
  const global = documents.global === null ? "" : renderText(documents.global);
  const project = documents.project.map(renderProjectDocument).filter((text) => text !== "");
  if (project.length === 0) return global;
  return [...(global === "" ? [] : [global, separator]), ...project].join("\n\n");
}

function renderProjectDocument(document: AgentsDocument): string {
  const text = renderText(document);
  return text === "" ? "" : `[${showPath(document.path)}]\n${text}`;
}

function renderText(document: AgentsDocument): string {
  const text = document.text.trimEnd();
  if (!isTruncated(document)) return text;
  const { path, bytes, size } = document;
  const marker = `[Cut here: ${bytes} of ${size} bytes of ${showPath(path)} are shown, the rest is over the size limit. Read the file before you work by it.]`;
  return text === "" ? marker : `${text}\n${marker}`;
}
