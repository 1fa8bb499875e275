import type { Argument, Command, Option } from "commander";

/** A flag that stands word for word in so many commands is described once, above them. */
const sharedFrom = 3;

/** The reference of `docs/cli.md`: each command with its arguments and flags, as `--help` says them. */
export function renderCliPage(program: Command): string {
  const commands = listCommands(program, []);
  const counts = new Map<string, number>();
  for (const { command } of commands)
    for (const option of shownOptions(command)) counts.set(toRow(option), (counts.get(toRow(option)) ?? 0) + 1);
  const isShared = (option: Option): boolean => (counts.get(toRow(option)) ?? 0) >= sharedFrom;
  const shared = [...counts].filter(([, count]) => count >= sharedFrom).map(([row]) => row);
  return [
    "### Flags of many commands",
    "Each command names those that it takes.",
    ["| flag | meaning |", "|---|---|", ...shared].join("\n"),
    ...commands.flatMap((each) => renderCommand(each, isShared)),
  ].join("\n\n");
}

interface Listed {
  /** As typed: `unroll threads list`. */
  readonly name: string;
  readonly command: Command;
}

function listCommands(command: Command, path: readonly string[]): readonly Listed[] {
  const own = [...path, command.name()];
  const below = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== "help");
  return [{ name: own.join(" "), command }, ...below.flatMap((child) => listCommands(child, own))];
}

function shownOptions(command: Command): readonly Option[] {
  return command.options.filter(({ hidden }) => !hidden);
}

function renderCommand({ name, command }: Listed, isShared: (option: Option) => boolean): readonly string[] {
  const options = shownOptions(command);
  const own = [
    ...command.registeredArguments.map(toArgumentRow),
    ...options.filter((each) => !isShared(each)).map(toRow),
  ];
  const shared = options.filter(isShared).map(({ long, short }) => `\`${long ?? short ?? ""}\``);
  const aliases = command.aliases().map((alias) => ` Short: \`${alias}\`.`);
  return [
    `### \`${name}\``,
    toSentence(command.description()) + aliases.join(""),
    ...(own.length > 0 ? [["| argument or flag | meaning |", "|---|---|", ...own].join("\n")] : []),
    ...(shared.length > 0 ? [`Also: ${shared.join(", ")}.`] : []),
  ];
}

function toRow({ flags, description, argChoices }: Option): string {
  return `| \`${flags}\` | ${toCell(description, argChoices)} |`;
}

function toArgumentRow(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  const form = argument.required ? `<${name}>` : `[${name}]`;
  return `| \`${form}\` | ${toCell(argument.description, argument.argChoices)} |`;
}

function toCell(description: string, choices: readonly string[] | undefined): string {
  const values = choices === undefined ? "" : `: ${choices.map((each) => `\`${each}\``).join(", ")}`;
  return (escapeMarkdown(description) + values).replaceAll("|", "\\|") || "-";
}

function toSentence(description: string): string {
  const text = escapeMarkdown(description);
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** `docs/threads.md` becomes a link, and `<name>` stays what it is. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[<>]/g, (sign) => `\\${sign}`).replaceAll(/\bdocs\/([\w-]+\.md)\b/g, "[$1]($1)");
}
