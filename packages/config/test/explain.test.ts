import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConfigSources } from "@unroll/config";
import { explainConfig, listConfigFiles } from "@unroll/config/upkeep";
import { expect, test } from "vitest";
import { createTempHome, override, type TempHome, repositoryIn } from "./temp-home.ts";

const token = "sk-a1b2c3d4e5f6g7h8i9";

function toSources(home: TempHome, more: Partial<ConfigSources> = {}): ConfigSources {
  const cwd = join(home.path, "project");
  return { codexHome: join(home.path, ".codex"), cwd, env: { HOME: home.path }, overrides: [], flags: {}, ...more };
}

async function openLayers(): Promise<TempHome> {
  const home = await createTempHome({
    "config.toml": "",
    ...repositoryIn("project"),
    "project/.codex/config.toml": `sandbox_mode = "workspace-write"\n`,
    "project/a/.codex/config.toml": `\nsandbox_mode = "danger-full-access"\n`,
    "system.toml": `model = "gpt-5-system"\nsandbox_mode = "read-only"\n`,
  });
  const trust = `projects.${JSON.stringify(join(home.path, "project"))}.trust_level = "trusted"\n`;
  await writeFile(home.configFile, `${trust}model = "gpt-5-user"\n[profiles.fast]\nmodel = "gpt-5-fast"\n`);
  return home;
}

test("a key shows its value, its place, and each value that it overrides, from every layer", async () => {
  await using home = await openLayers();
  const sources = toSources(home, {
    systemFile: join(home.path, "system.toml"),
    cwd: join(home.path, "project/a"),
    profile: "fast",
    overrides: [override("model", "gpt-5-over")],
    flags: { keys: [{ key: "model", value: "gpt-5-flag", origin: "--model" }] },
  });
  const at = (path: string, line: number) => ({ type: "file", path: join(home.path, path), line, column: 1 });
  const model = await explainConfig(sources, "model");
  expect(model.keys).toEqual([
    {
      key: "model",
      path: ["model"],
      value: "gpt-5-flag",
      toml: '"gpt-5-flag"',
      origin: { type: "argument", name: "--model" },
      depends: null,
      shadows: [
        { value: "gpt-5-over", toml: '"gpt-5-over"', origin: { type: "argument", name: "-c" } },
        { value: "gpt-5-fast", toml: '"gpt-5-fast"', origin: at(".codex/config.toml", 4) },
        { value: "gpt-5-user", toml: '"gpt-5-user"', origin: at(".codex/config.toml", 2) },
        { value: "gpt-5-system", toml: '"gpt-5-system"', origin: at("system.toml", 1) },
      ],
      meaning: expect.stringContaining("its only model is used"),
    },
  ]);
  const { keys } = await explainConfig(sources, "sandbox_mode");
  expect(
    keys.map(({ value, origin, shadows }) => ({ value, origin, shadows: shadows.map((each) => each.origin) })),
  ).toEqual([
    {
      value: "danger-full-access",
      origin: at("project/a/.codex/config.toml", 2),
      shadows: [at("project/.codex/config.toml", 1), at("system.toml", 2)],
    },
  ]);
});

test("every key has an answer: a value with its origin, or what its default depends on", async () => {
  await using home = await createTempHome({
    "config.toml": `[mcp_servers.a]\ncommand = "x"\n[shell_environment_policy.set]\nCI = "1"\n`,
  });
  const { keys } = await explainConfig(toSources(home), null);
  expect(keys.length).toBeGreaterThan(60);
  expect(keys.filter(({ value, origin }) => (value === null) !== (origin === null))).toEqual([]);
  const byKey = new Map(keys.map((each) => [each.key, each]));
  expect(byKey.get("model_context_window")).toMatchObject({
    value: 272_000,
    depends: "the model's",
  });
  expect(byKey.get("web_search")).toMatchObject({ value: "cached", origin: { type: "built_in" } });
  expect(byKey.get("model_verbosity")).toMatchObject({
    value: null,
    origin: null,
    depends: "`models.NAME.sent_verbosity`, or the provider's default",
  });
  expect(byKey.get("mcp_servers.a.tool_timeout_sec")).toMatchObject({ value: 60, toml: "60" });
  expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
});

test("no credential is in an explanation, wherever it stands", async () => {
  const text = `[model_providers.a]
base_url = "http://x/v1"
experimental_bearer_token = "${token}"
http_headers = { X-Other = "${token}" }
query_params = { q = "${token}" }
[mcp_servers.a]
command = "x"
args = ["--api-key", "${token}", "--token=${token}", "-H", "Authorization: Bearer ${token}", "plain"]
env = { ANY = "${token}" }
[mcp_servers.b]
url = "https://x/mcp?key=${token}"
[shell_environment_policy]
set = { A = "${token}" }
`;
  await using home = await createTempHome({ "config.toml": text });
  const overrides = [override("model_providers.a.experimental_bearer_token", "sk-other-9z8y7x6w5v4u")];
  const explanation = await explainConfig(toSources(home, { overrides }), null);
  const shown = JSON.stringify(explanation);
  expect(shown).not.toContain(token);
  expect(shown).not.toContain("sk-other");
  const args = explanation.keys.find(({ key }) => key === "mcp_servers.a.args");
  expect(args?.value).toEqual(["--api-key", "[secret]", "--token=[secret]", "-H", "Authorization: [secret]", "plain"]);
});

test("a key may be a table, or be in no existing table; an unknown key is an error with a suggestion", async () => {
  await using home = await createTempHome({ "config.toml": `[model_providers.a]\nbase_url = "http://x"\n` });
  const list = async (key: string): Promise<readonly string[]> =>
    (await explainConfig(toSources(home), key)).keys.map((each) => each.key);
  expect((await list("model_providers.a")).length).toBeGreaterThan(5);
  expect(await list("model_providers.b.base_url")).toEqual(["model_providers.b.base_url"]);
  expect(await list("mcp_servers")).toEqual([]);
  const fail = (key: string): Promise<unknown> => explainConfig(toSources(home), key).catch((error: unknown) => error);
  expect(await fail("sandbox_mod")).toMatchObject({
    code: "key_unknown",
    message: expect.stringContaining("sandbox_mode?"),
  });
  expect(await fail("otel.exporter")).toMatchObject({ message: expect.stringContaining("has no effect in unroll") });
  expect(await fail("tools.web_search")).toMatchObject({
    message: "tools.web_search is the old name of web_search: use the new name.",
  });
});

test("a config that no start could use can be explained", async () => {
  await using home = await createTempHome({ "config.toml": `model_provider = "none"\n` });
  const { keys } = await explainConfig(toSources(home), "model_provider");
  expect(keys).toMatchObject([{ value: "none", origin: { line: 1 } }]);
});

test("the files of a config are listed, and each says whether it is read", async () => {
  await using home = await openLayers();
  const systemFile = join(home.path, "none.toml");
  const states = (await listConfigFiles(toSources(home, { systemFile, cwd: join(home.path, "project/a") }))).map(
    ({ owner, state }) => `${owner} ${state}`,
  );
  expect(states).toEqual(["system missing", "user read", "project read", "project read"]);
  await writeFile(home.configFile, "");
  const [, , root] = await listConfigFiles(toSources(home, { systemFile }));
  expect(root).toMatchObject({
    state: "refused",
    reason: expect.stringContaining("you have not trusted this project yet"),
  });
});
