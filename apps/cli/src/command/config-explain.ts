import {
  type ConfigExplanation,
  type ConfigFile,
  type ExplainedKey,
  explainConfig,
  listConfigFiles,
  loadConfigJsonSchema,
} from "@unroll/config";
import {
  createHost,
  exitCodes,
  type ProcessIo,
  type ProgramFlags,
  reportFailure,
  toConfigSources,
} from "@unroll/program";
import { showHidden } from "@unroll/text";

interface LookFlags extends ProgramFlags {
  readonly json?: boolean;
}

type Origin = ExplainedKey["origin"];

/** Prints why a key, all keys of a table, or every key (null) is what it is. Returns the exit code. */
export function explainKey(key: string | null, flags: LookFlags, io: ProcessIo): Promise<number> {
  return look(io, async () => {
    const explanation = await explain(key, flags, io);
    if (flags.json) return toJson(explanation);
    for (const { message } of explanation.warnings) io.stderr.stream.write(`unroll: ${showHidden(message)}\n`);
    return explanation.keys.length === 1 ? explanation.keys.map(renderWhole).join("") : renderAll(explanation, key);
  });
}

/** Prints what a key is, a string as it stands. Returns the exit code: 1 where it has no value. */
export function printValue(key: string, flags: LookFlags, io: ProcessIo): Promise<number> {
  return look(io, async () => {
    const { asked, keys } = await explain(key, flags, io);
    const set = keys.filter(({ value }) => value !== null);
    if (set.length === 0) return null;
    const [first] = set;
    const isOne = first?.path.length === asked.length;
    if (flags.json) return toJson(isOne ? first.value : toTree(set, asked.length));
    if (isOne) return showHidden(`${typeof first.value === "string" ? first.value : first.toml}\n`);
    return showHidden(set.map((each) => `${each.key} = ${each.toml}\n`).join(""));
  });
}

/** Prints the user's file, or all that are looked at. Returns the exit code. */
export function printPaths(flags: LookFlags & { readonly all?: boolean }, io: ProcessIo): Promise<number> {
  return look(io, async () => {
    const files = await listConfigFiles(await toConfigSources(flags, createHost(io)));
    const shown = flags.all ? files : files.filter(({ owner }) => owner === "user");
    if (flags.json) return toJson(shown);
    return showHidden(shown.map((file) => (flags.all ? renderFile(file) : `${file.path}\n`)).join(""));
  });
}

/** Prints the JSON Schema. Returns the exit code. */
export function printSchema(io: ProcessIo): Promise<number> {
  return look(io, async () => `${JSON.stringify(await loadConfigJsonSchema(), null, 2)}\n`);
}

/** Null: there is nothing to print, which is a failure. */
async function look(io: ProcessIo, print: () => Promise<string | null>): Promise<number> {
  try {
    const text = await print();
    io.stdout.stream.write(text ?? "");
    return text === null ? exitCodes.failed : exitCodes.completed;
  } catch (error) {
    return reportFailure(error, io);
  }
}

async function explain(key: string | null, flags: LookFlags, io: ProcessIo): Promise<ConfigExplanation> {
  return explainConfig(await toConfigSources(flags, createHost(io)), key);
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

function toJson(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** One key with all that is known of it. */
function renderWhole(explained: ExplainedKey): string {
  const { key, toml, origin, depends, shadows, meaning } = explained;
  const lines = [
    origin === null ? `${key} is not set` : `${key} = ${toml}`,
    `  ${renderOrigin(origin, depends)}`,
    ...shadows.map((shadow) => `  instead of ${shadow.toml}, ${renderOrigin(shadow.origin, null)}`),
    ...(meaning === null ? [] : [`  meaning: ${withoutLinks(meaning)}`]),
  ];
  return showHidden(`${lines.join("\n")}\n`);
}

/** A page is named by its words: nobody can follow a link of Markdown here. */
function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** One line a key: those with a value. */
function renderAll({ keys }: ConfigExplanation, asked: string | null): string {
  const set = keys.filter(({ origin }) => origin !== null);
  if (set.length === 0) return showHidden(`${asked ?? "The config"} is not set\n`);
  const lines = set.map(({ key, toml, origin, depends, shadows }) => {
    const instead = shadows.map((shadow) => `; instead of ${shadow.toml}, ${renderOrigin(shadow.origin, null)}`);
    return `${key} = ${toml}  # ${renderOrigin(origin, depends)}${instead.join("")}\n`;
  });
  return showHidden(lines.join(""));
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
      return "set in a thread";
    case "built_in":
      return depends === null ? "the default" : `the default: ${depends}`;
    case undefined:
      return depends === null ? "it has no default" : `the default: ${depends}`;
  }
}

function renderFile({ path, owner, state, reason }: ConfigFile): string {
  const says = { read: "read", missing: "not there", refused: "not read" }[state];
  return `${path}  # of the ${owner}: ${says}${reason === null ? "" : `: ${reason}`}\n`;
}
