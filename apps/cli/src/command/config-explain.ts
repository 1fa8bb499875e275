import {
  type ConfigExplanation,
  type ConfigFile,
  type ExplainedKey,
  explainConfig,
  listConfigFiles,
  createConfigJsonSchema,
} from "@unroll/config/upkeep";
import { exitCodes, type ProgramFlags, toConfigSources } from "@unroll/program";
import type { CommandRun } from "../run-command.ts";

/** The flags of commands that show values. */
export interface ShowFlags extends ProgramFlags {
  readonly json?: boolean;
}

/** The flags of `unroll config path`. */
export interface PathFlags extends ShowFlags {
  readonly all?: boolean;
}

type Origin = ExplainedKey["origin"];

/** Prints why a key, all keys of a table, or every key (null) is what it is. Returns the exit code. */
export async function explainKey(key: string | null, flags: ShowFlags, run: CommandRun): Promise<number> {
  const explanation = await explain(key, flags, run);
  if (flags.json) await run.printJson(explanation);
  else {
    for (const { message } of explanation.warnings) run.complain(message);
    const [only, ...others] = explanation.keys;
    await run.print(only !== undefined && others.length === 0 ? renderWhole(only) : renderAll(explanation, key));
  }
  return exitCodes.completed;
}

/** Prints a key's value, a string without quotes. Returns the exit code: 1 if it has none. */
export async function printValue(key: string, flags: ShowFlags, run: CommandRun): Promise<number> {
  const { asked, keys } = await explain(key, flags, run);
  const set = keys.filter(({ value }) => value !== null);
  const [first] = set;
  if (first === undefined) return exitCodes.failed;
  const isOne = first.path.length === asked.length;
  if (flags.json) await run.printJson(isOne ? first.value : toTree(set, asked.length));
  else if (isOne) await run.print(typeof first.value === "string" ? first.value : first.toml);
  else await run.print(set.map((each) => `${each.key} = ${each.toml}`).join("\n"));
  return exitCodes.completed;
}

/** Prints the user's file, or all that are looked at. Returns the exit code. */
export async function printPaths({ all, json, ...flags }: PathFlags, run: CommandRun): Promise<number> {
  const files = await listConfigFiles(await toConfigSources(flags, run.host));
  const shown = all ? files : files.filter(({ owner }) => owner === "user");
  if (json) await run.printJson(shown);
  else for (const file of shown) await run.print(all ? renderFile(file) : file.path);
  return exitCodes.completed;
}

/** Prints the JSON Schema. Returns the exit code. */
export async function printSchema({ printJson }: CommandRun): Promise<number> {
  await printJson(createConfigJsonSchema(), 2);
  return exitCodes.completed;
}

async function explain(key: string | null, flags: ShowFlags, { host }: CommandRun): Promise<ConfigExplanation> {
  return explainConfig(await toConfigSources(flags, host), key);
}

/** Tables in tables, as the file has them. */
function toTree(keys: readonly ExplainedKey[], depth: number): unknown {
  const groups = Map.groupBy(keys, ({ path }) => path[depth] ?? "");
  const entries = [...groups].map(([name, [first, ...others]]) => {
    const isLeaf = others.length === 0 && first?.path.length === depth + 1;
    return [name, isLeaf ? first.value : toTree(first === undefined ? [] : [first, ...others], depth + 1)] as const;
  });
  return Object.fromEntries(entries);
}

/** One key with all that is known of it. */
function renderWhole(explained: ExplainedKey): string {
  const { key, toml, origin, depends, shadows, meaning } = explained;
  const lines = [
    origin === null ? `${key} is not set` : `${key} = ${toml}`,
    `  ${renderOrigin(origin, depends)}`,
    ...shadows.map((shadow) => `  overrides ${shadow.toml}, ${renderOrigin(shadow.origin, null)}`),
    ...(meaning === null ? [] : [`  meaning: ${withoutLinks(meaning)}`]),
  ];
  return lines.join("\n");
}

/** A page is named by its words: nobody can follow a link of Markdown here. */
function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** One line a key: those with a value. */
function renderAll({ keys }: ConfigExplanation, asked: string | null): string {
  const set = keys.filter(({ origin }) => origin !== null);
  if (set.length === 0) return `${asked ?? "The config"} is not set`;
  const lines = set.map(({ key, toml, origin, depends, shadows }) => {
    const instead = shadows.map((shadow) => `; overrides ${shadow.toml}, ${renderOrigin(shadow.origin, null)}`);
    return `${key} = ${toml}  # ${renderOrigin(origin, depends)}${instead.join("")}`;
  });
  return lines.join("\n");
}

function renderOrigin(origin: Origin, depends: string | null): string {
  switch (origin?.type) {
    case "file":
      return `set in ${origin.path}:${origin.line}:${origin.column}`;
    case "argument":
      return `set by ${origin.name}`;
    case "environment":
      return `set by $${origin.name}`;
    case "thread":
      return "set for a thread";
    case "built_in":
      return depends === null ? "the default" : `the default: ${depends}`;
    case undefined:
      return depends === null ? "it has no default" : `the default: ${depends}`;
  }
}

function renderFile({ path, owner, state, reason }: ConfigFile): string {
  const says = { read: "read", missing: "does not exist", refused: "not read" }[state];
  return `${path}  # ${owner}: ${says}${reason === null ? "" : `: ${reason}`}`;
}
