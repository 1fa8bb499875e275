import { listConfigKeys } from "@unroll/config";
import { Argument, type Command, type Option } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `unroll completion`: what a shell reads to complete command lines. `openWhole`: the program with all of its subcommands. */
export function addCompletionCommand(program: Command, { io }: CommandContext, openWhole: () => Command): void {
  program
    .command("completion")
    .description("print a completion script for your shell (docs/terminal.md)")
    .addArgument(new Argument("<shell>", "which").choices(["bash", "zsh", "fish"]))
    .action(async (shell: "bash" | "zsh" | "fish") => {
      const { renderCompletion } = await import("../render-completion.ts");
      io.stdout.stream.write(renderCompletion(shell, withKeys(listWords(openWhole()))));
    });
}

/** By command line so far (empty: the program alone): what may come next. */
function listWords(command: Command, path: readonly string[] = []): ReadonlyMap<string, readonly string[]> {
  const shown = command.commands.filter((child) => !("_hidden" in child && child._hidden === true));
  const flags = command.options.filter(({ hidden }: Option) => !hidden).map(({ long, short }) => long ?? short ?? "");
  const own = [...shown.map((child) => child.name()), ...flags, "--help"].filter((word) => word !== "");
  const below = shown.flatMap((child) => [...listWords(child, [...path, child.name()])]);
  return new Map([[path.join(" "), own], ...below]);
}

/** Behind the subcommands that take a key of the config: the keys, and behind `set` and a key what it may be. Free names are not known. */
function withKeys(words: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const keys = listConfigKeys().filter(({ name }) => !name.includes("*"));
  const names = keys.map(({ name }) => name);
  const commands = ["explain", "get", "set", "unset"].map((name) => `config ${name}`);
  return new Map([
    ...words,
    ...commands.map((command) => [command, [...names, ...(words.get(command) ?? [])]] as const),
    ...keys.flatMap(({ name, choices }) => (choices === null ? [] : [[`config set ${name}`, choices] as const])),
  ]);
}
