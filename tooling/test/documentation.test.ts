import { join } from "node:path";
import { expect, test } from "vitest";
import { builtInProviders } from "../../packages/config/src/providers/built-in-providers.ts";
import { listKeys } from "../../packages/config/src/keys/config-schema.ts";
import { approvalPolicies } from "../../packages/protocol/src/policy/approval-policy.ts";
import { sandboxModes } from "../../packages/protocol/src/policy/sandbox-settings.ts";
import { openRepository } from "../structure/repository.ts";
import { listUnionTags } from "./union-tags.ts";

const repository = openRepository(join(import.meta.dirname, "../.."));
const pages = new Map(repository.list("docs/*.md", "README.md").map((file) => [file, repository.read(file)]));
const events = pages.get("docs/events.md") ?? "";
const config = (pages.get("docs/config.md") ?? "").split("## Environment variables")[0] ?? "";
const sources = repository.list("{packages,apps}/*/src/**/*.ts");

test("docs/events.md lists the events of the code", () => {
  const deltas = quoted(sentence(events, "The SDK also yields")).filter((name) => name.includes("."));
  const known = listUnionTags(repository, "packages/protocol/src/event", "ThreadEvent");
  expect([...firstColumn(events, "event"), ...deltas].toSorted()).toEqual(known);
});

test.each([
  ["item", "ThreadItem"],
  ["state", "McpServerState"],
  ["miss", "CacheMiss"],
])("docs/events.md lists each %s of the code", (heading, union) => {
  const known = listUnionTags(repository, "packages/protocol/src/event", union);
  expect(firstColumn(events, heading).toSorted()).toEqual(known);
});

test("docs/events.md lists each field of the cache report of a request", () => {
  const source = repository.read("packages/protocol/src/event/request-cache.ts");
  const [, body = ""] = /interface RequestCache \{([^}]*)\}/.exec(source) ?? [];
  const known = [...body.matchAll(/readonly (\w+):/g)].map(([, name = ""]) => name);
  expect(firstColumn(events, "field of `cache`")).toEqual(known);
});

test("docs/events.md lists each status of an item", () => {
  const known = listUnionTags(repository, "packages/protocol/src/event", "ItemStatus");
  expect(quoted(sentence(events, "`status` is")).toSorted()).toEqual(known);
});

test.each([
  { table: [], heading: null },
  { table: ["model_providers", "ID"], heading: "`[model_providers.ID]`" },
  { table: ["models", "NAME"], heading: "`[models.NAME]`" },
  { table: ["permissions", "NAME"], heading: "`[permissions.NAME]`" },
  { table: ["mcp_servers", "ID"], heading: "`[mcp_servers.ID]`" },
])("docs/config.md lists the keys of $table, and no others", ({ table, heading }) => {
  const sections = config.split(/^(?=### |`\[)/m);
  const own = sections.filter((each) =>
    heading === null ? !/^\W*\[\w+\.(?:ID|NAME)\]/.test(each) : each.replace("### ", "").startsWith(heading),
  );
  const documented = own.flatMap((section) => firstColumn(section, "key"));
  const known = leaves(table).map((path) => path.slice(table.length).join("."));
  expect(documented.toSorted()).toEqual(known.toSorted());
});

test.each([
  ["sandbox mode", "`sandbox_mode`, `-s`", sandboxModes],
  ["approval policy", "`approval_policy`", approvalPolicies],
] as const)("docs/sandbox.md says what each %s is", (_, heading, known) => {
  const sandbox = pages.get("docs/sandbox.md") ?? "";
  expect(firstColumn(sandbox, heading).toSorted()).toEqual([...known].toSorted());
});

test("docs/config.md and docs/providers.md name each provider that is built in, and a thread is tried with it", () => {
  const ids = builtInProviders.map(({ id }) => id);
  const named = (text: string): readonly string[] => ids.filter((id) => new RegExp(`["\`=.]${id}\\b`).test(text));
  const tried = repository.read("packages/harness/test/providers.test.ts");
  expect([config, pages.get("docs/providers.md") ?? "", tried].map(named)).toEqual([ids, ids, ids]);
});

test("the docs name each environment variable that the code reads or sets", () => {
  const all = [...pages.values()].join("\n");
  const unknown = environmentVariables().filter((name) => !new RegExp(`[\`$]${name}\\b`).test(all));
  expect(unknown).toEqual([]);
});

test("docs/troubleshooting.md names only error codes and keys that exist, and exit codes that docs/exec.md explains", () => {
  const page = (pages.get("docs/troubleshooting.md") ?? "").replaceAll(/^```\n[\s\S]*?^```$/gm, "");
  const known = ["docs/errors.md", "docs/config.md"].map((file) => pages.get(file) ?? "").join("\n");
  const codes = quoted(page).flatMap((code) => /^(?:\w+\.)?[a-z]+(?:_[a-z]+)+(?= = |$)/.exec(code)?.[0] ?? []);
  expect(codes.length).toBeGreaterThan(4);
  expect(codes.filter((code) => !new RegExp(`\\b${code}\\b`).test(known))).toEqual([]);
  const exitCodes = [...page.matchAll(/exit code (\d+)/g)].map(([, code = ""]) => code);
  const exec = pages.get("docs/exec.md") ?? "";
  expect(exitCodes.filter((code) => !new RegExp(`^\\| (?:\\d+, )*${code}(?:, \\d+)* \\|`, "m").test(exec))).toEqual([]);
});

test("each variable of our own that the docs name is in the code", () => {
  const code = [...sources, ...repository.list("bench/src/**/*.ts", "simulation/**/*.ts")]
    .map((file) => repository.read(file))
    .join("\n");
  const named = [...pages.values()].flatMap((page) => page.match(/\b(?:UNROLL|CODEX|OPENAI)_[A-Z_]+\b/g) ?? []);
  expect([...new Set(named)].filter((name) => !code.includes(name))).toEqual([]);
});

/** The names in the first column of the table with this heading. */
function firstColumn(page: string, heading: string): readonly string[] {
  const lines = page.split("\n");
  return lines.flatMap((line, index) => {
    if (!line.startsWith(`| ${heading} `)) return [];
    const rows = lines.slice(index + 2);
    const end = rows.findIndex((row) => !row.startsWith("|"));
    return rows.slice(0, end === -1 ? rows.length : end).flatMap((row) => quoted(row.split("|")[1] ?? ""));
  });
}

function sentence(page: string, beginning: string): string {
  const text = page.slice(page.indexOf(beginning));
  return page.includes(beginning) ? text.slice(beginning.length, text.search(/[(.][ \n]|\(`|$/)) : "";
}

function quoted(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

/** Every key that is not a table of known keys, as the page writes it. */
function leaves(path: readonly string[]): readonly (readonly string[])[] {
  return listKeys(path).flatMap((key) => {
    if (path.length === 0 && ["model_providers", "mcp_servers", "models", "permissions"].includes(key)) return [];
    if (path.length === 0 && key === "profiles") return [[key, "NAME"]];
    if (path.length === 0 && key === "projects")
      return ["trust_level", "sandbox_mode"].map((name) => [key, '"PATH"', name]);
    if (path.length === 2 && key === "tools") return [[...path, key, "NAME", "approval_mode"]];
    if (path.length === 2 && key === "filesystem") return [[...path, key]];
    if (path[0] === "tui" && key === "keymap") return [[...path, key, "CONTEXT", "ACTION"]];
    const deeper = leaves([...path, key]);
    return deeper.length > 0 ? deeper : [[...path, key]];
  });
}

/** Strings in the code that are written as a variable's name is, and what is taken out of an environment. */
function environmentVariables(): readonly string[] {
  const noVariable = /^(CAP|ERR|O|Z)_|^(NODE_CHANNEL_FD|NODE_HANDLE|MINE_API_KEY)$/; // capabilities, errors, flags of open, zlib, two of Node's own, an example
  const found = sources.flatMap((file) => {
    const text = repository.read(file).replace(/^\s*(\/\/|\/?\*).*$/gm, "");
    return [
      ...text.matchAll(/"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"/g),
      ...text.matchAll(/\b(?:env|environment|variables)(?:\??\.|\[")([A-Z][A-Z0-9_]+)/g),
    ].map(([, name = ""]) => name);
  });
  return [...new Set(found)].filter((name) => !noVariable.test(name)).toSorted();
}
