import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openServerWorld, threadOf, type Told } from "./server-world.ts";

test("edits of the config are written together or not at all, and only to the version that a client knows", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const file = join(world.home, ".codex/config.toml");
  const server = await world.open();
  const write = (edits: readonly object[], more: object = {}): Promise<Told> =>
    server.request("config/batchWrite", { edits, ...more });
  const read = async (): Promise<unknown> => (await server.request("config/read", {})).result?.["config"];
  const before = await readFile(file, "utf8");
  const wrong = await write([
    { keyPath: "model", value: "next", mergeStrategy: "replace" },
    { keyPath: "no_such_key", value: 1, mergeStrategy: "replace" },
  ]);
  expect(wrong.error?.message).toContain("no_such_key");
  expect(await readFile(file, "utf8")).toBe(before);

  const trust = { trust_level: "trusted" };
  const written = await write([
    { keyPath: "model", value: "next", mergeStrategy: "replace" },
    { keyPath: "projects", value: { "/srv/a": trust, "/srv/b": trust }, mergeStrategy: "upsert" },
  ]);
  expect(written.result).toMatchObject({
    status: "ok",
    filePath: file,
    version: expect.stringMatching(/^sha256:/) as string,
  });
  expect(await read()).toMatchObject({ model: "next", projects: { "/srv/a": trust, "/srv/b": trust } });
  expect((await write([], { expectedVersion: "sha256:other" })).error?.message).toContain("has changed since");
  expect((await write([], { filePath: join(world.work, "x.toml") })).error?.message).toContain("only");

  const expectedVersion = written.result?.["version"];
  const edits = [
    { keyPath: "projects", value: { "/srv/a": trust }, mergeStrategy: "replace" },
    { keyPath: "model", value: null, mergeStrategy: "replace" },
  ];
  expect((await write(edits, { expectedVersion, filePath: file })).result).toMatchObject({ status: "ok" });
  expect(await read()).toMatchObject({ projects: { "/srv/a": trust } });
  expect(await read()).not.toMatchObject({ projects: { "/srv/b": {} } });
  expect(await readFile(file, "utf8")).not.toContain("next");
});

test("edits copy the config, which may hold a key, to no folder that commands can read", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  vi.stubEnv("TMPDIR", join(world.home, "missing"));
  try {
    const edits = [{ keyPath: "model", value: "next", mergeStrategy: "replace" }];
    expect(await server.request("config/batchWrite", { edits })).toMatchObject({ result: { status: "ok" } });
  } finally {
    vi.unstubAllEnvs();
  }
});

test("lists that have nothing here are empty, and the provider in use is named without a credential", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  const ask = async (method: string, params: object = {}): Promise<unknown> =>
    (await server.request(method, params)).result;
  const empty = { data: [], nextCursor: null };
  for (const method of ["experimentalFeature/list", "app/list", "project/list"])
    expect(await ask(method)).toEqual(empty);
  expect(await ask("app/installed")).toEqual({ apps: [] });
  expect(await ask("hooks/list")).toEqual({ data: [{ cwd: world.work, hooks: [], warnings: [], errors: [] }] });
  expect(await ask("hooks/list", { cwds: ["/a"] })).toMatchObject({ data: [{ cwd: "/a" }] });
  expect(await ask("plugin/installed")).toEqual({ marketplaces: [], marketplaceLoadErrors: [] });
  expect(await ask("plugin/list")).toMatchObject({ marketplaces: [], featuredPluginIds: [] });
  expect(await ask("configRequirements/read")).toMatchObject({ requirements: null });
  expect(await ask("collaborationMode/list")).toMatchObject({ data: [{ mode: "plan" }, { mode: "default" }] });
  expect(await ask("modelProvider/list")).toMatchObject({
    data: [{ id: "test", settings: { type: "customGateway" } }],
    defaultProviderId: "test",
  });
  expect(await ask("modelProvider/capabilities/read")).toEqual({ imageGeneration: false, webSearch: true });
});

test("a reload of MCP servers tells a client with an open thread that the thread keeps its servers", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  expect((await server.request("config/mcpServer/reload")).result).toEqual({});
  threadOf(await server.request("thread/start"));
  expect((await server.request("config/mcpServer/reload")).result).toEqual({});
  const warning = await server.find(({ method }) => method === "warning");
  expect(warning.params?.["message"]).toContain("keep their MCP servers");
});
