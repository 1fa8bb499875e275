import { type ConfigKey, listConfigKeys } from "@unroll/config";
import { isRestraint } from "@unroll/protocol";
import type { ColorMode } from "@unroll/view";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { ProgramFlags } from "../config/load-program-config.ts";

/** The flags of `addThreadFlags`. */
export interface ThreadFlags extends ProgramFlags {
  readonly color?: ColorMode;
  readonly waitMcp?: boolean;
}

/** The flags of every command that opens a thread. */
export function addThreadFlags(command: Command): Command {
  return addStoreFlag(
    addColorFlag(
      addSettingFlags(command).option(
        "--wait-mcp",
        "wait for all MCP servers before the first request (default: mcp_startup_grace_ms)",
      ),
    ),
  );
}

/** The flag of every command that opens a thread or serves threads. */
export function addStoreFlag(command: Command): Command {
  return command.option(
    "--store <url>",
    "keep threads in PostgreSQL: a postgres:// URL, or @FILE that contains one (default: UNROLL_STORE, else files in CODEX_HOME)",
    takeText,
  );
}

/** The flags of every command that goes by all of the config. */
export function addSettingFlags(command: Command): Command {
  const localProviders = listConfigKeys().find(({ name }) => name === "oss_provider")?.choices ?? [];
  return addKeyFlags(addConfigFlags(command), "settings")
    .option("--oss", "use a model on this machine, from the provider in oss_provider (default: Ollama)")
    .addOption(new Option("--local-provider <name>", "the same, from this provider").choices(localProviders))
    .option("-p, --profile <name>", "a [profiles.<name>] of config.toml, or <name>.config.toml beside it", takeText)
    .option("-C, --cd <dir>", "work in this folder", takeText);
}

/** The flags of every command that goes by the config and its sandbox. */
export function addConfigFlags(command: Command): Command {
  return addConfigFlag(addKeyFlags(command, "sandbox")).option(
    "--strict-config",
    "refuse to start if the config has unknown keys, old keys or wrong values",
  );
}

/** The flags for what one run may spend; they are keys of `[budget]`. */
export function addBudgetFlags(command: Command): Command {
  return addKeyFlags(command, "run");
}

/** The flags that their keys declare. */
function addKeyFlags(command: Command, of: NonNullable<ConfigKey["flag"]>["of"]): Command {
  for (const { name, flag, choices } of listConfigKeys()) {
    if (flag?.of !== of) continue;
    const option = new Option(flag.names, flag.text);
    if (flag.value === undefined && choices === null) option.argParser(takeText);
    if (flag.value === undefined && choices !== null) option.choices(choices);
    command.addOption(name.split(".").some(isRestraint) ? takeOnce(option) : option);
  }
  return command;
}

/** For a limit: the user could have meant either of two values. */
function takeOnce(option: Option): Option {
  const { parseArg: parse } = option;
  return option.argParser<unknown>((value, previous) => {
    const taken: unknown = parse === undefined ? value : parse(value, undefined);
    if (previous === undefined || previous === taken) return taken;
    throw new InvalidArgumentError(`It was given before, as ${JSON.stringify(previous)}.`);
  });
}

/** The flag of every command that reads the config. */
export function addConfigFlag(command: Command): Command {
  const text = "set a config key; the value is TOML, or else a string (repeatable)";
  return command.option("-c, --config <key=value>", text, collectValues);
}

/** The flag of every command that runs others in the sandbox. */
export function addHostFlag(command: Command): Command {
  return command.option(
    "--allow-host <host>",
    "commands may reach this host (name, *.name or name:port; repeatable)",
    collectValues,
  );
}

/** The flag of every command that shows progress or lines of its own in colours. */
export function addColorFlag(command: Command): Command {
  const modes: readonly ColorMode[] = ["auto", "always", "never"];
  return command.addOption(new Option("--color <when>", "use colours in the progress output").choices(modes));
}

/** For options that may be given more than once. */
export function collectValues(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), takeText(value)];
}

/** For options whose value is a name: an empty one is a variable of a script that was not set. */
export function takeText(value: string): string {
  if (value === "") throw new InvalidArgumentError("It is empty.");
  return value;
}

/** The value of an option: a whole number, 0 or more. */
export function readCount(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It must be a whole number, 0 or more.");
}

/** The value of an option: a whole number, 1 or more. */
export function readPositive(value: string): number {
  const count = readCount(value);
  if (count > 0) return count;
  throw new InvalidArgumentError("It must be a whole number, 1 or more.");
}
