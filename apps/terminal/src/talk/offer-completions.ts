import type { ResolvedConfig } from "@unroll/config";
import { findCandidateQuery, offerCandidates } from "@unroll/screen";
import type { Candidate, CandidateQuery } from "@unroll/screen";
import { renderArgument } from "../command/render-argument.ts";
import type { TerminalCommand } from "../command/terminal-command.ts";
import type { Desk } from "../desk/create-desk.ts";
import type { FileIndex } from "../input/file-index.ts";

/** Offers what the word at the cursor may become. Called with every change of the line; commands that the person may type are `ui.commands`. */
export function offerCompletions(desk: Desk, files: FileIndex, config: ResolvedConfig): void {
  const { composer } = desk.surface.ui;
  const commands = desk.surface.ui.commands.map((command) => ({
    ...command,
    argument: renderArgument(command, config),
  }));
  const query = findCandidateQuery(composer);
  if (query === null) return;
  const candidates = findCandidates(query, commands, files);
  if (candidates === null) return;
  const next = offerCandidates(composer, query, candidates);
  if (next !== composer) desk.change((ui) => ({ ...ui, composer: next }));
}

interface OfferedCommand extends Pick<TerminalCommand, "name" | "description"> {
  readonly argument: string | null;
}

/** Null: they are not known yet. */
function findCandidates(
  { kind, query }: CandidateQuery,
  commands: readonly OfferedCommand[],
  files: FileIndex,
): readonly Candidate[] | null {
  if (kind === "file") return files.find(query)?.map((value) => ({ value })) ?? null;
  const named = commands.filter(({ name }) => name.startsWith(query));
  const others = commands.filter(({ name }) => !name.startsWith(query) && name.includes(query) && query !== "");
  return [...named, ...others].map(({ name, argument, description }) => ({
    value: name,
    detail: argument === null ? description : `${argument}  ${description}`,
    isComplete: argument === null || argument.startsWith("["),
  }));
}
