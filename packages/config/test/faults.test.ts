import fc from "fast-check";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError, listConfigKeys, resolveCodexHome } from "@unroll/config";
import { isRestraint } from "@unroll/protocol";
import { anyCharacter } from "@unroll/text/fixture/any-character";
import { expect, test } from "vitest";
import { createTempHome, override } from "./temp-home.ts";

test.for([
  [`model = `, 1, 9, "expected a value here: a string in quotes, a number, true, false, an array or a table"],
  [`a = 1\nmodel = "gpt`, 2, 9, "expected a closing quote for this string"],
  [
    `model = "gpt\nmodel_provider = "openai"`,
    1,
    13,
    "expected a closing quote for this string before the end of the line, and no control character in it",
  ],
  [`model "x"`, 1, 7, `expected "=" after the key; only A-Z, a-z, 0-9, - and _ need no quotes in a key`],
  [`\n\nmodel`, 3, 1, `expected "=" and a value after this key`],
  [`model = "a" "b"`, 1, 13, "expected the end of the line after the value"],
  [`model = "a"\nmodel = "b"`, 2, 1, "expected a new key or table, but this one is set above already"],
  [`[sandbox]\r\ndeny_read = ["a" "b"]`, 2, 18, "expected a comma or the closing bracket here"],
  [`__proto__ = 1`, 1, 1, "expected another name: __proto__ and constructor cannot be keys"],
] as const)("text that is not TOML: %j", async ([text, line, column, expectation]) => {
  await using home = await createTempHome({ "config.toml": text });
  expect(await home.loadError()).toMatchObject({
    name: "ConfigError",
    code: "toml_invalid",
    message: `${home.configFile}:${line}:${column}: this is not valid TOML: ${expectation}.`,
    retryable: false,
    file: home.configFile,
    line,
    column,
  });
});

test.for([
  [`model = 5`, "1:1", "model must be a string in quotes, but it is a whole number"],
  [`model = ""`, "1:1", "model must not be empty"],
  [`[model]\nname = "x"`, "1:1", "model must be a string in quotes, but it is a table"],
  [
    `sandbox_mode = "workspce-write"`,
    "1:1",
    `sandbox_mode must be "read-only", "workspace-write", or "danger-full-access", but it is "workspce-write" (did you mean "workspace-write"?)`,
  ],
  [
    `approval_policy = true`,
    "1:1",
    `approval_policy must be "untrusted", "on-failure", "on-request", or "never", but it is true`,
  ],
  [`\nproject_doc_max_bytes = -1`, "2:1", "project_doc_max_bytes must be at least 0"],
  [
    `[mcp_servers."a.b"]\ncommand = "x"\n tool_timeout_sec = 0`,
    "3:2",
    `mcp_servers."a.b".tool_timeout_sec must be above 0`,
  ],
  [`command_timeout_ms = 3_000_000_000`, "1:1", "command_timeout_ms must be at most 2147483647"],
  [
    `[mcp_servers.a]\nargs = ["x", 1979-05-27]`,
    "2:1",
    "mcp_servers.a.args (entry 2) must be a string in quotes, but it is a date",
  ],
  [`profiles = { a = { model = [] } }`, "1:20", "profiles.a.model must be a string in quotes, but it is an array"],
  [`mcp_servers = 1`, "1:1", "mcp_servers must be a table, but it is a whole number"],
  [
    `[model_providers.a]\nwire_api = "chat"`,
    "2:1",
    `model_providers.a.wire_api must be "responses": this harness speaks the Responses API only`,
  ],
  [
    `[model_providers.a]\nhttp_headers = { "a b" = "c" }`,
    "2:1",
    `model_providers.a.http_headers has a name that cannot be the name of an HTTP header`,
  ],
  [
    `[model_providers.a.http_headers]\nx = "a\\nb"`,
    "2:1",
    "model_providers.a.http_headers.x must be text that an HTTP header can hold: no line end, no character beyond Latin-1",
  ],
] as const)("a wrong value is an error with place, finding and expectation: %j", async ([text, place, message]) => {
  await using home = await createTempHome({ "config.toml": text });
  const error = await home.loadError();
  expect(error.message).toBe(`${home.configFile}:${place}: ${message}.`);
  expect(error).toMatchObject({ code: "value_invalid", file: home.configFile });
  expect(`${error.line}:${error.column}`).toBe(place);
});

test.for(
  listConfigKeys()
    .map(({ name }) => name.replaceAll("*", "x"))
    .filter((name) => isRestraint(name.split(".").at(-1) ?? "")),
)("a wrong value of a key whose name says limit is an error: %s", async (name) => {
  await using home = await createTempHome({ "config.toml": `${name} = 1979-05-27` });
  expect(await home.loadError()).toMatchObject({ code: "value_invalid", file: home.configFile, line: 1 });
});

test.for([
  [
    `model_context_window = 1.5`,
    "1:1",
    "model_context_window must be a whole number, but it is a number with a fraction",
  ],
  [`model_context_window = 9007199254740993`, "1:1", "model_context_window must be below 2^53"],
  [
    `project_doc_fallback_filenames = ["a", 1, 2]`,
    "1:1",
    "project_doc_fallback_filenames (entry 2) must be a string in quotes, but it is a whole number",
  ],
] as const)("a wrong value that holds nothing back is left out, and told: %j", async ([text, place, message]) => {
  await using home = await createTempHome({ "config.toml": text });
  const { warnings, projectDocMaxBytes, modelFamily } = await home.load();
  expect({ projectDocMaxBytes, window: modelFamily.contextWindow }).toEqual({
    projectDocMaxBytes: 32_768,
    window: 272_000,
  });
  expect(warnings).toMatchObject([
    { code: "value_ignored", message: `${home.configFile}:${place}: ${message}. It is ignored.` },
  ]);
  expect((await home.loadError({ strict: true })).message).toBe(`--strict-config: ${warnings[0]?.message}`);
});

test("an error about a wrong value on the command line names the option", async () => {
  await using home = await createTempHome();
  expect(await home.loadError({ overrides: [override("model", "5")] })).toMatchObject({
    code: "value_invalid",
    key: "model",
    message: "-c: model must be a string in quotes, but it is a whole number.",
  });
});

test.for([
  [`modle = "x"`, "modle", 1, 1, "Did you mean model?"],
  [
    `[model_providers.a]\nbase_url = "http://x"\nservice_tier = "priority"`,
    "model_providers.a.service_tier",
    3,
    1,
    "Did you mean service_tier at the top level? Then put it above the first [table].",
  ],
  [`zzzzzzzz = 1`, "zzzzzzzz", 1, 1, ""],
] as const)(
  "an unknown key is a warning with its place and what was meant: %j",
  async ([text, key, line, column, hint]) => {
    await using home = await createTempHome({ "config.toml": text });
    const { warnings } = await home.load();
    const message = `${home.configFile}:${line}:${column}: unknown key ${key}: it has no effect. ${hint}`.trim();
    const origin = { type: "file", path: home.configFile, line, column };
    expect(warnings).toEqual([{ code: "key_unknown", key, message, origin }]);
  },
);

test("a text on the command line that has lost its closing quote is taken as it stands, and told", async () => {
  await using home = await createTempHome();
  const { model, warnings } = await home.load({ overrides: [override("model", '"gpt-5')] });
  expect(model).toBe('"gpt-5');
  expect(warnings[0]).toEqual({
    code: "value_plain",
    key: "model",
    message:
      "-c: the value of model starts with a quote but is not valid TOML, so it is used as a string, with the quote.",
    origin: { type: "argument", name: "-c" },
  });
});

test("an unknown key on the command line is a warning, too", async () => {
  await using home = await createTempHome();
  const { warnings } = await home.load({ overrides: [override("modle", "x")] });
  expect(warnings).toEqual([
    {
      code: "key_unknown",
      key: "modle",
      message: "-c: unknown key modle: it has no effect. Did you mean model?",
      origin: { type: "argument", name: "-c" },
    },
  ]);
});

test.for([
  [`approval_polcy = "untrusted"`, "1:1", "approval_polcy", "approval_policy"],
  [`[profiles.p.sandbox]\ndenyread = []`, "2:1", "profiles.p.sandbox.denyread", "profiles.p.sandbox.deny_read"],
  [
    `[mcp_servers.a]\ncommand = "x"\ndefault_tool_approval_mode = "prompt"`,
    "3:1",
    "mcp_servers.a.default_tool_approval_mode",
    "mcp_servers.a.default_tools_approval_mode",
  ],
] as const)("a key that was meant to hold the model back stops the start: %j", async ([text, place, key, meant]) => {
  await using home = await createTempHome({ "config.toml": text });
  expect(await home.loadError()).toMatchObject({
    code: "key_unknown",
    key,
    message: `${home.configFile}:${place}: unknown key ${key}. Did you mean ${meant}? That key restricts the model, so unroll does not start without it: correct the name, or remove it.`,
  });
});

test("with warnings as errors, unknown and old keys end the start, and keys that are known and not used do not", async () => {
  await using home = await createTempHome({ "config.toml": `modle = "x"\notel = {}\n[tools]\nweb_search = true` });
  const { configFile } = home;
  expect(await home.loadError({ strict: true })).toMatchObject({
    code: "config_not_strict",
    message: `--strict-config: ${configFile}:1:1: unknown key modle: it has no effect. Did you mean model?\n${configFile}:4:1: tools.web_search is an old key. It is read as web_search: use that name.`,
    file: configFile,
  });
  await using shared = await createTempHome({ "config.toml": `otel = {}` });
  expect((await shared.load({ strict: true })).warnings).toHaveLength(1);
});

test.for([
  [`[tools]\nweb_search = true`, { webSearchMode: "live" }, "tools.web_search", 2, "web_search"],
  [
    `features = { web_search_request = false }`,
    { webSearchMode: "disabled" },
    "features.web_search_request",
    1,
    "web_search",
  ],
  [
    `experimental_use_unified_exec_tool = true`,
    { modelFamily: { shellTool: "exec_command" } },
    "experimental_use_unified_exec_tool",
    1,
    "shell_tool",
  ],
] as const)("an old key is taken for what it is called now, and told: %j", async ([text, expected, key, line, now]) => {
  await using home = await createTempHome({ "config.toml": text });
  const config = await home.load();
  expect(config).toMatchObject(expected);
  expect(config.origins.get(now)).toMatchObject({ type: "file", line });
  expect(config.warnings).toMatchObject([
    {
      code: "key_deprecated",
      key,
      message: expect.stringContaining(`${key} is an old key. It is read as ${now}: use that name.`),
    },
  ]);
});

test("a key that the Codex CLI still has is read without a warning, also if warnings are errors", async () => {
  await using home = await createTempHome({ "config.toml": "[features]\nunified_exec = true" });
  const config = await home.load({ strict: true });
  expect(config).toMatchObject({ modelFamily: { shellTool: "exec_command" }, warnings: [] });
  expect(config.origins.get("shell_tool")).toMatchObject({ type: "file", line: 2 });
});

test("an old key has no effect where the new key is set, and an invalid old value is an error", async () => {
  await using home = await createTempHome({
    "config.toml": `web_search = "cached"\n[profiles.p.tools]\nweb_search = true\n[tools]\nweb_search = true`,
  });
  expect((await home.load()).webSearchMode).toBe("cached");
  expect((await home.load({ profile: "p" })).webSearchMode).toBe("live");
  expect(await home.loadError({ overrides: [override("tools.web_search", "maybe")] })).toMatchObject({
    key: "web_search",
  });
});

test("keys of the reference that are not used are named once a file", async () => {
  await using home = await createTempHome({
    "config.toml": [
      `analytics = ["x"]\notel = {}\nfile_opener = "vscode"`,
      `[desktop]\nanimations = false\n[history]\npersistence = "none"\n[features]\nmulti_agent = true`,
      `[mcp_servers.a]\ncommand = "x"\noauth_resource = "r"\n[profiles.p.desktop]\nx = 1\n[[skills.config]]\nenabled = true`,
    ].join("\n"),
  });
  const keys =
    "analytics (line 1), otel (line 2), file_opener (line 3), desktop (line 4), features (line 8), mcp_servers.a.oauth_resource (line 12), profiles.p.desktop (line 13)";
  const { warnings } = await home.load({ profile: "p" });
  expect(warnings.map(({ code }) => code)).toEqual(["key_unused"]);
  expect(warnings[0]?.message.split(": ").at(-1)?.slice(0, -1).split(", ").toSorted()).toEqual(
    keys.split(", ").toSorted(),
  );
  expect(warnings[0]?.message).toContain(`${home.configFile}: Codex keys that have no effect in unroll: `);
});

test("hooks of the Codex CLI are not ignored silently", async () => {
  await using home = await createTempHome({ "config.toml": `[hooks]\nx = 1` });
  expect((await home.load()).warnings.map(({ message }) => message)).toEqual([
    `${home.configFile}:1:1: hooks, a key of the Codex CLI, has no effect in unroll: it restricts nothing.`,
  ]);
});

test.for([
  ["requirements = 1", "requirements = 1"],
  [`[permissions.p]\nbogus = true`, "permissions.p.bogus = true"],
  [`sandbox_permissions = ["x"]`, "sandbox_permissions"],
  [`[sandbox_workspace_write]\nnetwerk_access = true`, "sandbox_workspace_write.netwerk_access = true"],
  [
    `[model_providers.a]\nbase_url = "http://x"\nsandbox_mode = "read-only"`,
    `model_providers.a.sandbox_mode = "read-only"`,
  ],
  [`[zzz.deeper]\nmaxTurns = 3`, "zzz.deeper.maxTurns = 3"],
  [`[profiles.p]\nallowed_hosts = []`, "profiles.p.allowed_hosts"],
  [`[tools]\nshell = false`, "tools.shell = false"],
  [`[features]\nnetwork_proxy = true`, "features.network_proxy = true"],
] as const)("an unknown key that looks like a limit stops the start: %s", async ([text, shown]) => {
  await using home = await createTempHome({ "config.toml": text });
  const { code, message } = await home.loadError();
  expect({ code, message }).toEqual({ code: "key_unknown", message: expect.stringContaining(`unknown key ${shown}.`) });
});

test.for([
  ["approvals_reviewer", `"nobody"`, `"user"`],
  ["tools.view_image", "false", "true"],
] as const)("a limit of the Codex CLI that unroll cannot keep stops the start: %s", async ([key, value, kept]) => {
  await using home = await createTempHome();
  expect((await home.loadError({ overrides: [override(key, value)] })).message).toBe(
    `-c: ${key} = ${value} limits the model of the Codex CLI, and unroll cannot keep it: set ${key} = ${kept}, or remove it.`,
  );
  expect((await home.load({ overrides: [override(key, kept)] })).warnings).toHaveLength(1);
});

test("keys whose limits bound nothing in unroll stay warnings, so that one file serves both programs", async () => {
  await using home = await createTempHome({
    "config.toml": `[windows]\nsandbox = "elevated"\n[history]\nmax_bytes = 1\n[agents]\nmax_threads = 6\n[features]\nnetwork_proxy = false`,
  });
  expect((await home.load()).warnings.map(({ code }) => code)).toEqual(["key_unused"]);
});

test.for([
  ["empty", ""],
  ["only comments", "# nothing\r\n"],
  ["a byte order mark and CRLF", `\uFEFFmodel = "gpt-6.1-sol"\r\n\r\n[sandbox]\r\n`],
])("a file with %s is fine", async ([, text]) => {
  await using home = await createTempHome({ "config.toml": text as string });
  expect(await home.load()).toMatchObject({ model: "gpt-6.1-sol", warnings: [] });
});

test("a place is right behind a byte order mark and CRLF", async () => {
  await using home = await createTempHome({ "config.toml": "\uFEFF# x\r\n model = 1\r\n" });
  expect(await home.loadError()).toMatchObject({ line: 2, column: 2 });
});

test("a file that cannot be read is an error", async () => {
  await using folder = await createTempHome();
  await mkdir(folder.configFile, { recursive: true });
  expect(await folder.loadError()).toMatchObject({
    code: "file_unreadable",
    file: folder.configFile,
    message: `${folder.configFile} cannot be read: it is a folder. Make it a text file that you can read, or remove it.`,
  });
  await using loop = await createTempHome();
  await mkdir(dirname(loop.configFile), { recursive: true });
  await symlink("other.toml", loop.configFile);
  await symlink("config.toml", join(dirname(loop.configFile), "other.toml"));
  expect((await loop.loadError()).message).toContain("config.toml cannot be read: a loop of symbolic links.");
  await using binary = await createTempHome({ "config.toml": new Uint8Array([0xff, 0xfe, 0x00]) });
  expect((await binary.loadError()).message).toContain("it is not UTF-8 text");
  expect((await folder.loadError({ codexHome: `${binary.configFile}` })).message).toContain(
    "a part of its path is not a folder",
  );
});

test("a file that is nested too deep or too large is a fault with a name, not a crash", async () => {
  await using deep = await createTempHome({ "config.toml": `x = ${"[".repeat(20_000)}${"]".repeat(20_000)}` });
  expect(await deep.loadError()).toMatchObject({ code: "toml_invalid", line: 1 });
  await using large = await createTempHome({ "config.toml": "#".repeat(17 * 2 ** 20) });
  expect(await large.loadError()).toMatchObject({
    code: "file_unreadable",
    message: expect.stringContaining("it has more than 16 MiB"),
  });
});

test("a file of thousands of unknown keys is reported as a whole, and quickly", async () => {
  const lines = Array.from({ length: 2000 }, (_, index) => `key_${index} = 1\n`);
  await using home = await createTempHome({ "config.toml": lines.join("") });
  expect(await home.loadError()).toMatchObject({
    code: "key_unknown",
    message: `${home.configFile}:1:1: 2000 unknown keys, key_0 the first of them: this is not a config file for unroll. Correct or remove it.`,
  });
});

test("thousands of wrong values are left out in time that grows with their number, not with its square", async () => {
  const tables = Array.from({ length: 2000 }, (_, index) => `[profiles.p${index}]\nmodel_verbosity = 0\n`);
  await using home = await createTempHome({ "config.toml": tables.join("") });
  expect((await home.load()).warnings).toHaveLength(2000);
});

test("garbage is a ConfigError or a configuration, never anything else", async () => {
  await using home = await createTempHome();
  const line = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc
      .constantFrom("model", "sandbox_mode", "mcp_servers.a", "[profiles.x]", "model_providers.a.base_url")
      .chain((key) =>
        fc
          .oneof(fc.constantFrom("1", `"x"`, "[1, {a = '#'}]", `{ b = """\n"x""" }`), fc.string())
          .map((value) => `${key} = ${value}`),
      ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line), async (lines) => {
      await using file = await createTempHome({ "config.toml": lines.join("\n") });
      const outcome: unknown = await file.load({ cwd: home.path }).catch((error: unknown) => error);
      expect(outcome instanceof ConfigError || !(outcome instanceof Error)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("the home of the configuration is CODEX_HOME, else ~/.codex", () => {
  expect(resolveCodexHome({ CODEX_HOME: "here", HOME: "/home/a" }, "/there")).toBe("/there/here");
  expect(resolveCodexHome({ CODEX_HOME: "", HOME: "/home/a" }, "/there")).toBe("/home/a/.codex");
  expect(() => resolveCodexHome({}, "/there")).toThrow("set CODEX_HOME or HOME");
});
