import { toProgramPlaces } from "@unroll/program";
import type { Candidate, CandidateQuery } from "@unroll/screen";
import { renderArgument } from "../command/render-argument.ts";
import { createFileIndex, type FileIndex } from "../device/file-index.ts";
import type { LiveRegion } from "../driver.ts";
import type { App } from "./app.ts";
import { refreshCommands } from "./read-prompt-commands.ts";

/** Offers completions for the word at the cursor: commands, or files of the working folder. */
export function offerCompletions(app: App, live: LiveRegion): void {
  const { threads, host, clock, signal } = app;
  const files = createFileIndex({
    places: () => toProgramPlaces(threads.current.config, host),
    clock,
    signal,
    onMore: () => onMore(),
  });
  const onMore = live.completeWith((query) => {
    if (query.kind === "command" && query.query === "") void offerNewPrompts();
    return findCandidates(app, query, files);
  });

  /** The commands that are known are offered at once; prompts that were added or changed follow. */
  async function offerNewPrompts(): Promise<void> {
    const isChanged = await refreshCommands(app).catch(() => false); // sending the command reads them again
    if (isChanged) onMore();
  }
}

/** Null: not known yet. */
function findCandidates(
  { commands: all, threads }: App,
  { kind, query }: CandidateQuery,
  files: FileIndex,
): readonly Candidate[] | null {
  if (kind === "file") return files.find(query)?.map((value) => ({ value })) ?? null;
  const commands = all.map((command) => ({ ...command, argument: renderArgument(command, threads.current.config) }));
  const named = commands.filter(({ name }) => name.startsWith(query));
  const others = commands.filter(({ name }) => !name.startsWith(query) && name.includes(query) && query !== "");
  return [...named, ...others].map((command) => ({
    value: command.name,
    ...(command.argument !== null && { argument: command.argument }),
    detail: command.description,
    isComplete: command.isHarmless === true && named.length === 1 && command === named[0],
  }));
}
