import type { CommandContext } from "./terminal-command.ts";

/** One of a few that a command takes by its name. */
interface Named {
  readonly value: string;
  /** A clause. */
  readonly description: string;
}

interface NamedChoice<Option extends Named> {
  /** Of the question, where no name was typed. */
  readonly title: string;
  /** What each of them is. */
  readonly noun: string;
  readonly options: readonly Option[];
}

/** The one that was typed, or else is chosen; null: the person left, or there is none of that name, which is told. */
export async function chooseNamed<Option extends Named>(
  { choose, tell }: Pick<CommandContext, "choose" | "tell">,
  typed: string,
  { title, noun, options }: NamedChoice<Option>,
): Promise<Option | null> {
  const offered = options.map(({ value, description }) => ({ value, label: value, description }));
  const wish = typed === "" ? await choose({ title, options: offered }) : typed;
  const found = options.find(({ value }) => value === wish) ?? null;
  if (found === null && wish !== null)
    tell(`There is no ${noun} "${wish}": ${options.map(({ value }) => value).join(", ")}.`);
  return found;
}

/** How the names stand in the list of commands. */
export function listNames(options: readonly Named[]): string {
  return `[${options.map(({ value }) => value).join("|")}]`;
}
