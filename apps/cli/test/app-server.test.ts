import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";

test("unroll app-server answers an editor on stdio and ends with its stdin", async () => {
  await using world = await openInProcessWorld();
  const hello = { id: 1, method: "initialize", params: { clientInfo: { name: "test", version: "1.0.0" } } };
  const stdin = `${JSON.stringify(hello)}\n{"method":"initialized"}\n{"id":2,"method":"nope"}\n`;
  const flags = ["--stdio", "--analytics-default-enabled"];
  const { exitCode, stdout } = await world.run(["app-server", ...flags], { stdin });
  const lines = stdout.split("\n").filter(Boolean);
  const answers = lines.map((line) => JSON.parse(line) as { readonly id: number });
  expect(exitCode).toBe(0);
  expect(answers.find(({ id }) => id === 1)).toMatchObject({ result: { codexHome: world.codexHome } });
  expect(answers.find(({ id }) => id === 2)).toMatchObject({
    error: { message: expect.stringContaining("nope") as string },
  });
});

test("unroll app-server generate-ts writes a file for each type, with the experimental ones only if they are wanted", async () => {
  await using world = await openInProcessWorld();
  const { exitCode } = await world.run(["app-server", "generate-ts", "--out", "types"]);
  const all = await world.run(["app-server", "generate-ts", "-o", "all", "--experimental"]);
  const read = (name: string): Promise<string> => readFile(join(world.work, "types", name), "utf8");
  expect([exitCode, all.exitCode]).toEqual([0, 0]);
  expect(await read("v2/ThreadStartResponse.ts")).toContain('import type { Thread } from "./Thread";');
  expect(await read("index.ts")).toContain('export * as v2 from "./v2";');
  expect(await readdir(join(world.work, "types/v2"))).not.toContain("ThreadSettingsUpdateParams.ts");
  expect(await readdir(join(world.work, "all/v2"))).toContain("ThreadSettingsUpdateParams.ts");
});

test("unroll app-server generate-json-schema writes a file for each type, and bundles", async () => {
  await using world = await openInProcessWorld();
  const { exitCode } = await world.run(["app-server", "generate-json-schema", "--out", "schemas"]);
  const names = await readdir(join(world.work, "schemas"), { recursive: true });
  expect(exitCode).toBe(0);
  for (const name of ["v1/InitializeParams", "v2/TurnStartParams", "codex_app_server_protocol.schemas"]) {
    expect(names).toContain(`${name}.json`);
  }
});

test("flags of unroll app-server that contradict each other, or ask for a check that is not made, are refused", async () => {
  await using world = await openInProcessWorld();
  const refuse = async (...flags: readonly string[]): Promise<string> => {
    const { exitCode, stderr } = await world.run(["app-server", ...flags]);
    return `${exitCode} ${stderr}`;
  };
  expect(await refuse("--stdio", "--listen", "off")).toMatch(/^2 .*--listen/);
  expect(await refuse("--ws-auth", "signed-bearer-token")).toMatch(/^2 .*capability-token/);
  expect(await refuse("--ws-shared-secret-file", "x")).toMatch(/^2 .*unknown option/);
  expect(await refuse("--ws-token-file", "x", "--listen", "ws://127.0.0.1:0")).toMatch(/^2 .*--ws-auth/);
});
