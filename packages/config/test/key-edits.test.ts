import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "@unroll/config";
import { replaceConfigText, setConfigKey, unsetConfigKey } from "@unroll/config/upkeep";
import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { createConfigFile } from "./fixture/config-file.ts";

const commented = `# mine
model = "gpt-5" # the good one

# how far
[sandbox_workspace_write] # careful
  network_access = false # not yet
  # writable_roots = []

[projects."/work"]
trust_level = "trusted"
`;

test.for([
  ["the value of a key that is there", commented, "model", "gpt-6", ['"gpt-5"', '"gpt-6"']],
  ["a switch", commented, "sandbox_workspace_write.network_access", "true", ["= false", "= true"]],
  [
    "a key of a table that is there",
    commented,
    "sandbox_workspace_write.git",
    "protected",
    ["# not yet\n", '# not yet\n  git = "protected"\n'],
  ],
  ["a key at the top", commented, "model_verbosity", "low", ["one\n", 'one\nmodel_verbosity = "low"\n']],
  [
    "a key of a table that is not there",
    commented,
    "sandbox.max_processes",
    "12000",
    ['trust_level = "trusted"\n', 'trust_level = "trusted"\n\n[sandbox]\nmax_processes = 12000\n'],
  ],
  [
    "a table beside its like",
    commented,
    "projects./home/a.b.trust_level",
    "untrusted",
    ['= "trusted"\n', '= "trusted"\n\n[projects."/home/a.b"]\ntrust_level = "untrusted"\n'],
  ],
  [
    "the first key above a header with its comment",
    "# top\n\n# of it\n[sandbox]\n",
    "model",
    "a",
    ["top\n\n", 'top\n\nmodel = "a"\n\n'],
  ],
  [
    "a key beside dotted ones",
    'sandbox.max_processes = 1\nmodel = "a"\n',
    "sandbox.max_memory_mb",
    "2",
    ["= 1\n", "= 1\nsandbox.max_memory_mb = 2\n"],
  ],
  [
    "a key in an inline table",
    "sandbox = { max_processes = 1 } # c\n",
    "sandbox.max_memory_mb",
    "2",
    ["= 1 }", "= 1, max_memory_mb = 2 }"],
  ],
  [
    "a key in an inline table over several lines",
    "sandbox = {\n    max_processes = 1 # c\n}\n",
    "sandbox.max_memory_mb",
    "2",
    ["= 1 # c\n", "= 1, # c\n    max_memory_mb = 2,\n"],
  ],
  ["a key in an empty inline table", "sandbox = {}\n", "sandbox.max_memory_mb", "2", ["{}", "{ max_memory_mb = 2 }"]],
  [
    "a table above its own tables",
    '[mcp_servers.a.env]\nX = "1"\n',
    "mcp_servers.a.command",
    "x",
    ['"1"\n', '"1"\n\n[mcp_servers.a]\ncommand = "x"\n'],
  ],
  [
    "a list over several lines",
    'project_doc_fallback_filenames = [\n  "A", # a\n  "B",\n]\n# end\n',
    "project_doc_fallback_filenames",
    '["C"]',
    ['[\n  "A", # a\n  "B",\n]', '[ "C" ]'],
  ],
  [
    "in CRLF",
    'model = "a"\r\n[sandbox]\r\n',
    "sandbox.max_processes",
    "3",
    ["[sandbox]\r\n", "[sandbox]\r\nmax_processes = 3\r\n"],
  ],
  ["without a last line end", 'model = "a"', "model_verbosity", "low", ['"a"', '"a"\nmodel_verbosity = "low"\n']],
  ["behind a byte order mark", "\uFEFFmodel = 'a'\n", "model", "b", ["'a'", '"b"']],
  [
    "what begins like TOML and is none, as it stands",
    "",
    "developer_instructions",
    "[be brief",
    ["", 'developer_instructions = "[be brief"\n'],
  ],
] as const)("sets %s, and changes nothing else", async ([, before, key, value, [from, to]]) => {
  await using file = await createConfigFile(before);
  await setConfigKey(file.path, key, value);
  expect(await file.read()).toBe(before.replace(from, to));
});

test("an edit makes the file for its owner alone, keeps the mode of one that is there, and leaves nothing but its lock", async () => {
  await using file = await createConfigFile(null);
  await setConfigKey(file.path, "model", "a");
  expect((await stat(file.path)).mode & 0o777).toBe(0o600);
  await chmod(file.path, 0o640);
  await setConfigKey(file.path, "model", "b");
  expect((await stat(file.path)).mode & 0o777).toBe(0o640);
  expect(await readdir(join(file.path, ".."))).toEqual(["config.toml", "config.toml.lock"]);
});

test("a file that the system does not allow to change gives a proper error", async () => {
  await using file = await createConfigFile("");
  const path = join(file.path, "config.toml"); // below a file
  await expect(setConfigKey(path, "model", "a")).rejects.toMatchObject({ code: "file_unwritable", file: path });
});

test("the lock is as private as the file: who may read a lock could hold it", async () => {
  await using file = await createConfigFile(null);
  const readLockMode = async (): Promise<number> => (await stat(`${file.path}.lock`)).mode & 0o777;
  await setConfigKey(file.path, "model", "a");
  expect(await readLockMode()).toBe(0o600);
  await chmod(`${file.path}.lock`, 0o644); // as one of an earlier version is
  await setConfigKey(file.path, "model", "b");
  expect(await readLockMode()).toBe(0o600);
});

test.for([
  ["a key that there is not", "", "modl", "x", "key_unknown", "Did you mean model?"],
  ["a key without effect", "", "otel", "{}", "key_unknown", "has no effect in unroll"],
  ["a value that the key cannot have", "", "sandbox_mode", "all", "value_invalid", '"read-only"'],
  ["a text that has lost its closing quote", "", "model", '"gpt-5', "value_invalid", "close the quote"],
  ["an unknown key in a table", "", "sandbox", "{ deny = [] }", "key_unknown", "deny"],
  ["a file that is no TOML", "model =\n", "model", "x", "toml_invalid", "config.toml:1:"],
  ["a day that its month does not have", "x = 2021-02-30\n", "model", "a", "toml_invalid", "config.toml:1:5:"],
  ["a list of tables", "[[sandbox]]\na = 1\n", "sandbox.max_processes", "1", "edit_impossible", "by hand"],
] as const)("refuses %s, and writes nothing", async ([, before, key, value, code, message]) => {
  await using file = await createConfigFile(before);
  const error: unknown = await setConfigKey(file.path, key, value).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  expect(await file.read()).toBe(before);
});

test("unsetting takes out a key, or a table with all of its keys, and nothing else", async () => {
  await using file = await createConfigFile(commented);
  expect(await unsetConfigKey(file.path, "model_verbosity")).toBe(false);
  expect(await unsetConfigKey(file.path, "sandbox_workspace_write.network_access")).toBe(true);
  expect(await file.read()).toBe(commented.replace("  network_access = false # not yet\n", ""));
  expect(await unsetConfigKey(file.path, "projects")).toBe(true);
  expect(parse(await file.read())).toEqual({ model: "gpt-5", sandbox_workspace_write: {} });
});

test("unsetting a key of an inline table over several lines takes its line and its comment", async () => {
  const before = "sandbox = {\n  max_processes = 1, # one\n  max_memory_mb = 2, # two\n}\n";
  await using file = await createConfigFile(before);
  await unsetConfigKey(file.path, "sandbox.max_memory_mb");
  expect(await file.read()).toBe("sandbox = {\n  max_processes = 1, # one\n}\n");
  await unsetConfigKey(file.path, "sandbox.max_processes");
  expect(await file.read()).toBe("sandbox = {\n}\n");
});

test("an unknown key can be removed from a file", async () => {
  await using file = await createConfigFile('modle = "x"\n[tools]\nweb_search = true\n[otel]\na = 1\n');
  for (const key of ["modle", "tools.web_search", "otel"]) expect(await unsetConfigKey(file.path, key)).toBe(true);
  expect(await file.read()).toBe("[tools]\n");
  await expect(unsetConfigKey(file.path, "modle")).rejects.toThrow("There is no key modle. Did you mean model?");
});

test("writers wait for each other: no change is lost", async () => {
  await using file = await createConfigFile("# shared\n");
  const names = Array.from({ length: 12 }, (_, index) => `s${index}`);
  await Promise.all(names.map((name) => setConfigKey(file.path, `mcp_servers.${name}.command`, name)));
  expect(parse(await file.read())).toEqual({
    mcp_servers: Object.fromEntries(names.map((name) => [name, { command: name }])),
  });
});

test("a text that a person wrote replaces the file only while that is what they began with, and when it can be used", async () => {
  await using file = await createConfigFile('model = "a"\n');
  const draft = join(file.path, "../draft.toml");
  const replace = (before: string, text: string): Promise<unknown> =>
    replaceConfigText(file.path, { before, draft, text }).catch((error: unknown) => error);
  expect(await replace('model = "a"\n', "model = \n")).toMatchObject({
    code: "toml_invalid",
    message: expect.stringContaining(`${draft}:1:`),
  });
  expect(await replace("", 'model = "b"\n')).toMatchObject({ code: "edit_impossible" });
  expect(await file.read()).toBe('model = "a"\n');
  expect(await replace('model = "a"\n', 'model = "b"\nmodle = 1\n')).toMatchObject([{ code: "key_unknown" }]);
  expect(await file.read()).toBe('model = "b"\nmodle = 1\n');
});

const text = fc.string({ unit: anyCharacter, maxLength: 8 }).filter((value) => value.isWellFormed());
const name = text.filter((value) => !["__proto__", "constructor"].includes(value));
const values = fc.oneof(text, fc.array(text, { maxLength: 3 }));
const lineEnds = fc.constantFrom("\n", "\r\n");

test("any text and any list of texts is read again as it was set, under any name, and unset without a trace", async () => {
  await fc.assert(
    fc.asyncProperty(name, fc.record({ word: text, list: values }), lineEnds, async (id, { word, list }, lineEnd) => {
      const before = `# top\nmodel = "a" # end\n\n[zone]\na = 1\n`.replaceAll("\n", lineEnd);
      await using file = await createConfigFile(before);
      const path = `mcp_servers.${JSON.stringify(id).replaceAll("\u007f", "\\u007f")}`;
      const args = (Array.isArray(list) ? list : [list]).map((each) =>
        JSON.stringify(each).replaceAll("\u007f", "\\u007f"),
      );
      await setConfigKey(file.path, `${path}.args`, `[${args.join(", ")}]`);
      await setConfigKey(file.path, `${path}.cwd`, JSON.stringify(`x${word}`).replaceAll("\u007f", "\\u007f"));
      expect(parse(await file.read())).toMatchObject({
        mcp_servers: { [id]: { args: Array.isArray(list) ? list : [list], cwd: `x${word}` } },
      });
      await unsetConfigKey(file.path, path);
      expect(await file.read()).toBe(before);
    }),
    { numRuns: Number(process.env["CONFIG_EDIT_RUNS"] ?? 30) },
  );
});
