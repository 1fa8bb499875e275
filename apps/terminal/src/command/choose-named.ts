import type { ArgumentChoice, CommandContext } from "./terminal-command.ts";

interface NamedChoice<Option extends ArgumentChoice> {
  /** The question's title, if no name was typed. */
  readonly title: string;
  /** The name of one value, for messages. */
  readonly noun: string;
  /** The value in force; null: none of them. Absent: unknown. */
  readonly current?: string | null;
  readonly options: readonly Option[];
}

/** The value that you typed or choose; null: you left the question, or the name is unknown and an error was shown. */
export async function chooseNamed<Option extends ArgumentChoice>(
  { choose, tell }: Pick<CommandContext, "choose" | "tell">,
  typed: string,
  { title, noun, options, current = null }: NamedChoice<Option>,
): Promise<Option | null> {
  const wish = typed === "" ? await choose({ title, options, current }) : typed;
  const found = options.find(({ value }) => value === wish) ?? null;
  if (found === null && wish !== null)
    tell(`Unknown ${noun} "${wish}". Choose one of: ${options.map(({ value }) => value).join(", ")}.`);
  return found;
}

/** The names as the argument of a command. */
export function listNames(options: readonly ArgumentChoice[]): string {
  return `[${options.map(({ value }) => value).join("|")}]`;
}
