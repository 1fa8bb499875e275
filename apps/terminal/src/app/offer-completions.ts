import type { Candidate, CandidateQuery } from "@unroll/screen";
import { renderArgument } from "../command/render-argument.ts";
import { createFileIndex, type FileIndex } from "../device/file-index.ts";
import type { LiveRegion } from "../driver.ts";
import type { App } from "./app.ts";

/** Offers what the word at the cursor may become: a command, or a file of the working folder. */
export function offerCompletions(app: App, live: LiveRegion): void {
  const { conversation, host, clock, signal } = app;
  const files = createFileIndex({
    folder: () => conversation.config.cwd,
    env: host.env,
    clock,
    signal,
    onMore: () => onMore(),
  });
  const onMore = live.completeWith((query) => findCandidates(app, query, files));
}

/** Null: they are not known yet. */
function findCandidates(
  { commands: all, conversation }: App,
  { kind, query }: CandidateQuery,
  files: FileIndex,
): readonly Candidate[] | null {
  if (kind === "file") return files.find(query)?.map((value) => ({ value })) ?? null;
  const commands = all.map((command) => ({ ...command, argument: renderArgument(command, conversation.config) }));
  const named = commands.filter(({ name }) => name.startsWith(query));
  const others = commands.filter(({ name }) => !name.startsWith(query) && name.includes(query) && query !== "");
  return [...named, ...others].map(({ name, argument, description }) => ({
    value: name,
    detail: argument === null ? description : `${argument}  ${description}`,
    isComplete: argument === null || argument.startsWith("["),
  }));
}
