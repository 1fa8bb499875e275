import type { Command, Option } from "commander";

/**
 * Options may come before the subcommand, as clients of the Codex CLI write them: `-C dir -c k=v exec …` is
 * `exec -C dir -c k=v …`. Whether the subcommand takes them is for it to say.
 */
export function moveLeadingOptions(program: Command, args: readonly string[]): readonly string[] {
  const end = countLeading(args, listOptions(program));
  let words = end;
  let command = findSubcommand(program, args[words]);
  while (command !== null) {
    words += 1;
    // `exec resume` has its options before the second word: they are those of exec
    command = command.options.length > 0 ? null : findSubcommand(command, args[words]);
  }
  return words === end ? args : [...args.slice(end, words), ...args.slice(0, end), ...args.slice(words)];
}

/** The first argument that is not an option or its value; null: there is none. */
export function findFirstWord(program: Command, args: readonly string[]): string | null {
  return args[countLeading(args, [...program.options, ...listOptions(program)])] ?? null;
}

/** The number of arguments before the first word. */
function countLeading(args: readonly string[], options: readonly Option[]): number {
  let end = 0;
  for (let option = findOption(args[end], options); option !== null; option = findOption(args[end], options)) {
    end += option.required && isAlone(args[end] ?? "", option) ? 2 : 1;
  }
  return end;
}

function listOptions(command: Command): readonly Option[] {
  return command.commands.flatMap((child) => [...child.options, ...listOptions(child)]);
}

function findOption(arg: string | undefined, options: readonly Option[]): Option | null {
  if (arg === undefined || !/^-./.test(arg)) return null;
  const name = arg.startsWith("--") ? (arg.split("=")[0] ?? arg) : arg.slice(0, 2);
  return options.find(({ long, short }) => name === long || name === short) ?? null;
}

/** Whether the value is the next argument: `--model x`, not `--model=x` or `-mx`. */
function isAlone(arg: string, { long, short }: Option): boolean {
  return arg === long || arg === short;
}

function findSubcommand(command: Command, word: string | undefined): Command | null {
  return command.commands.find((each) => each.name() === word || each.aliases().includes(word ?? "")) ?? null;
}
