import { toProgramPlaces } from "@unroll/program";
import type { Candidate, CandidateQuery } from "@unroll/screen";
import { findChoices } from "../command/find-choices.ts";
import { renderArgument } from "../command/render-argument.ts";
import type { ArgumentChoice } from "../command/terminal-command.ts";
import { createFileIndex } from "../device/file-index.ts";
import type { LiveRegion } from "../driver.ts";
import type { App } from "./app.ts";
import { listCommands } from "./list-commands.ts";
import { refreshCommands } from "./read-prompt-commands.ts";

/** Offers completions for the word at the cursor: commands, their arguments, or files of the working folder. */
export function offerCompletions(app: App, live: LiveRegion): void {
  const { threads, host, clock, signal } = app;
  const files = createFileIndex({
    places: () => toProgramPlaces(threads.current.config, host),
    clock,
    signal,
    onMore: () => onMore(),
  });
  const findArgument = createArgumentSearch(app, () => onMore());
  const onMore = live.completeWith((query) => {
    if (query.kind === "command" && query.query === "") offerNewPrompts().catch(() => {}); // the known ones are offered
    const found = findArgument(query); // choices are forgotten once the word is not an argument any more
    switch (query.kind) {
      case "argument":
        return found;
      case "file":
        return files.find(query.query)?.map((value) => ({ value })) ?? null;
      case "command":
        return findCommands(app, query.query);
    }
  });

  /** The commands that are known are offered at once; prompts that were added or changed follow. */
  async function offerNewPrompts(): Promise<void> {
    const isChanged = await refreshCommands(app).catch(() => false); // sending the command reads them again
    if (isChanged) onMore();
  }
}

function findCommands(app: App, query: string): readonly Candidate[] {
  const { config } = app.threads.current;
  const commands = listCommands(app).map((command) => ({ ...command, argument: renderArgument(command, config) }));
  const named = commands.filter(({ name }) => name.startsWith(query));
  const others = commands.filter(({ name }) => !name.startsWith(query) && name.includes(query) && query !== "");
  return [...named, ...others].map((command) => ({
    value: command.name,
    ...(command.argument !== null && { argument: command.argument }),
    detail: command.description,
    isComplete: command.isHarmless === true && named.length === 1 && command === named[0],
  }));
}

/** Finds the choices for an argument. They are read once while it is typed. Null: not known yet; `onMore` is called when they are. */
function createArgumentSearch(app: App, onMore: () => void): (query: CandidateQuery) => readonly Candidate[] | null {
  let known: { readonly command: string; choices: readonly ArgumentChoice[] | null } | null = null;

  async function read(name: string): Promise<void> {
    const { threads, host, signal } = app;
    const command = app.commands.find((each) => each.name === name);
    const own: NonNullable<typeof known> = { command: name, choices: null };
    known = own;
    const found = command?.choices?.({ thread: threads.current, threads, host, signal }) ?? [];
    if (!(found instanceof Promise)) return void (own.choices = found);
    own.choices = await found.catch(() => []); // without choices, any argument can be typed
    if (own === known) onMore();
  }

  /** A word in capitals stands for any text: `[FOCUS|preview|undo]`. */
  function takesAny(name: string): boolean {
    const command = app.commands.find((each) => each.name === name);
    return command !== undefined && /\p{Lu}/u.test(renderArgument(command, app.threads.current.config) ?? "");
  }

  return (query) => {
    if (query.kind !== "argument") {
      known = null;
      return null;
    }
    if (known?.command !== query.command) read(query.command).catch(() => {});
    const choices = known?.choices ?? null;
    const isOptional = takesAny(query.command);
    return choices && findChoices(choices, query.query).map((choice) => toCandidate(choice, isOptional));
  };
}

function toCandidate({ value, label, description }: ArgumentChoice, isOptional: boolean): Candidate {
  return {
    value,
    isOptional,
    ...(label !== undefined && { label }),
    ...(description !== "" && { detail: description }),
  };
}
