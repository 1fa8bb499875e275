import { listUsersPaths } from "../keys/config-schema.ts";
import { deprecatedNames, replaceDeprecatedKey, unusedKeys } from "../keys/deprecated-keys.ts";
import type { KeyDeclaration, KeySection } from "../keys/key-declaration.ts";
import { keySections } from "../keys/key-sections.ts";
import { showKind } from "../keys/kinds.ts";

/** The generated parts of docs/config.md, in Markdown: the keys, those that a project cannot set, old ones, and those of the Codex CLI alone. */
export interface ConfigPage {
  readonly keys: string;
  readonly yours: string;
  readonly old: string;
  readonly unused: string;
}

/** Made from the declarations of the keys: the page says what the code does. */
export function renderConfigPage(): ConfigPage {
  return {
    keys: keySections.map(renderSection).join("\n\n"),
    yours: `${list(listUsersPaths().map((path) => path.join(".")))}.`,
    old: renderOldKeys(),
    unused: renderUnusedKeys(),
  };
}

function renderSection({ title, intro = "", keys, outro = "" }: KeySection): string {
  const rows = Object.entries(keys).map(([key, declaration]) => renderRow(key, declaration));
  const body = `| key | type | default | meaning |\n|---|---|---|---|\n${rows.join("\n")}`;
  return [`### ${title}`, intro, body, outro].filter((part) => part !== "").join("\n\n");
}

function renderRow(key: string, { kind, default: standard, otherwise, text }: KeyDeclaration): string {
  const shown = key
    .replace("projects.*", 'projects."PATH"')
    .replace("keymap.*.*", "keymap.CONTEXT.ACTION")
    .replace("*", "NAME");
  // one clause has no full stop, sentences have
  const meaning = text.includes(". ") ? `${text}.` : text;
  const cells = [`\`${shown}\``, showKind(kind), otherwise ?? renderDefault(standard), meaning];
  return `| ${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`.replace(/^\| {2}/, "| ");
}

/** Empty where there is none. */
function renderDefault(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? `\`${value}\`` : `\`${JSON.stringify(value)}\``;
}

function renderOldKeys(): string {
  const rows = deprecatedNames.map((name) => {
    const { path, value } = replaceDeprecatedKey(name.split("."), true) ?? { path: [], value: undefined };
    const now = path.join(".");
    return `| \`${name}\` | ${value === true ? `\`${now}\`` : `\`${now} = ${JSON.stringify(value)}\` where it is \`true\``} |`;
  });
  return `| old key | read as |\n|---|---|\n${rows.join("\n")}`;
}

function renderUnusedKeys(): string {
  return Object.entries(unusedKeys)
    .map(([table, keys]) => `${table === "" ? "At the top" : `In \`[${table}]\``}: ${list(keys)}.`)
    .join("\n\n");
}

function list(keys: readonly string[]): string {
  return keys.map((key) => `\`${key}\``).join(", ");
}
