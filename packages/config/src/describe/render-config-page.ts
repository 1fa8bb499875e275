import { findSchema } from "../schema/config-schema.ts";
import { defaults } from "../schema/defaults.ts";
import { deprecatedNames, replaceDeprecatedKey } from "../schema/deprecated-keys.ts";
import { unusedKeys } from "../schema/unused-keys.ts";
import { describeType } from "./describe-type.ts";
import type { KeyDoc, KeySection } from "./keys/key-section.ts";
import { keySections } from "./keys/key-sections.ts";

/** The generated parts of docs/config.md: the keys, and those that nothing uses. Markdown. */
export interface ConfigPage {
  readonly keys: string;
  readonly old: string;
  readonly unused: string;
}

/** Made from the schema, the defaults and what is told of each key: the page says what the code does. */
export function renderConfigPage(): ConfigPage {
  return { keys: keySections.map(renderSection).join("\n\n"), old: renderOldKeys(), unused: renderUnusedKeys() };
}

function renderSection({ title, intro, table, keys, outro }: KeySection): string {
  const rows = Object.entries(keys).map(([key, doc]) =>
    renderRow(table === null ? key : `${table}.*.${key}`, key, doc),
  );
  const body = `| key | type | default | meaning |\n|---|---|---|---|\n${rows.join("\n")}`;
  return [title, intro, body, outro].filter((part) => part !== "").join("\n\n");
}

function renderRow(name: string, key: string, { text, type, otherwise }: KeyDoc): string {
  const shown = key.replace("projects.*", 'projects."PATH"').replace("*", "NAME");
  const cells = [
    `\`${shown}\``,
    type ?? describeType(findSchema(name.split("."))),
    otherwise ?? renderDefault(name),
    text,
  ];
  return `| ${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`.replace(/^\| {2}/, "| ");
}

/** Empty where there is none. */
function renderDefault(name: string): string {
  const value: unknown = Object.entries(defaults).find(([key]) => key === name)?.[1];
  if (value === undefined) return "";
  return typeof value === "string" ? `\`${value}\`` : `\`${JSON.stringify(value)}\``;
}

function renderOldKeys(): string {
  const rows = deprecatedNames.map((name) => {
    const { path, value } = replaceDeprecatedKey(name.split("."), true) ?? { path: [], value: undefined };
    const now = path.join(".");
    return `| \`${name}\` | ${value === true ? `\`${now}\`` : `\`${now} = ${JSON.stringify(value)}\` where it is \`true\``} |`;
  });
  return `| old key | taken for |\n|---|---|\n${rows.join("\n")}`;
}

function renderUnusedKeys(): string {
  return Object.entries(unusedKeys)
    .map(([table, keys]) => `${table === "" ? "At the top" : `In \`[${table}]\``}: ${list(keys)}.`)
    .join("\n\n");
}

function list(keys: readonly string[]): string {
  return keys.map((key) => `\`${key}\``).join(", ");
}
