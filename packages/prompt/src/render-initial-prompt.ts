import { checkContext, findProjectContext } from "./project-context.ts";
import type { MessageItem } from "@unroll/protocol";
import { checkShape } from "@unroll/text";
import { isTruncated, type AgentsDocuments } from "./agents-documents.ts";
import type { FileSearch, PromptFiles } from "./prompt-files.ts";
import { type PromptFacts, toMessage } from "./fragment/fragment.ts";
import { fragments } from "./fragment/fragments.ts";
import type { InitialPrompt, PromptSource } from "./initial-prompt.ts";
import { readInstructions } from "./instructions/read-instructions.ts";
import type { PromptContext } from "./prompt-context.ts";

/**
 * Makes what a new thread starts with: base instructions, permissions, developer instructions, AGENTS.md files and
 * skills, environment. The same context and files give the same bytes. Called once per thread; its items are saved with
 * the thread and replayed, never rendered again.
 *
 * @throws {PromptError} for an AGENTS.md or an instructions file that is there and cannot be used as a person meant it.
 */
export async function renderInitialPrompt(context: PromptContext, files: PromptFiles): Promise<InitialPrompt> {
  checkContext("renderInitialPrompt", context, files);
  checkShape("renderInitialPrompt", context, { tools: "a list" });
  const warnings: string[] = [];
  const search: FileSearch = { files, warn: (warning) => warnings.push(warning) };
  const instructions = await readInstructions(search, context);
  const { documents, skills, told } = await findProjectContext(search, context);
  const items = renderItems(search, { ...context, told });
  const sources = [instructions.source, ...toSources(documents)];
  return { instructions: instructions.text, items, sources, warnings, skills, told };
}

function renderItems(search: FileSearch, facts: PromptFacts): readonly MessageItem[] {
  return fragments.flatMap((fragment) => {
    const text = fragment.render(facts);
    if (text === null) return [];
    const message = toMessage(fragment, text);
    if (message.isCut)
      search.warn(`The part "${fragment.label ?? fragment.name}" of the prompt was cut to ${fragment.maxBytes} bytes.`);
    return [message.item];
  });
}

function toSources({ global, project }: AgentsDocuments): readonly PromptSource[] {
  const documents = [
    ...(global === null ? [] : [{ kind: "global_doc", document: global } as const]),
    ...project.map((document) => ({ kind: "project_doc", document }) as const),
  ];
  return documents.map(({ kind, document }) => ({
    kind,
    path: document.path,
    bytes: document.bytes,
    truncated: isTruncated(document),
  }));
}
