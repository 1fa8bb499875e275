import type { CommandContext } from "./terminal-command.ts";

/** One of the values that a command takes by name. */
export interface Named {
  readonly value: string;
  /** A clause. */
  readonly description: string;
}

interface NamedChoice<Option extends Named> {
  /** The question's title, if no name was typed. */
  readonly title: string;
  /** The name of one value, for messages. */
  readonly noun: string;
  /** The value in force; null: none of them. Absent: unknown. */
  readonly current?: string | null;
  readonly options: readonly Option[];
}

/** The value that you typed or choose; null: you left the question, or the name is unknown and an error was shown. */
export async function chooseNamed<Option extends Named>(
  { choose, tell }: Pick<CommandContext, "choose" | "tell">,
  typed: string,
  { title, noun, options, current = null }: NamedChoice<Option>,
): Promise<Option | null> {
  const offered = options.map(({ value, description }) => ({ value, label: value, description }));
  const wish = typed === "" ? await choose({ title, options: offered, current }) : typed;
  const found = options.find(({ value }) => value === wish) ?? null;
  if (found === null && wish !== null)
    tell(`Unknown ${noun} "${wish}". Choose one of: ${options.map(({ value }) => value).join(", ")}.`);
  return found;
}

/** The names as the argument of a command. */
export function listNames(options: readonly Named[]): string {
  return `[${options.map(({ value }) => value).join("|")}]`;
}
