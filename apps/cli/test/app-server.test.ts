import { readdir } from "node:fs/promises";
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

test("unroll app-server schema writes what clients may ask into a folder, and says where", async () => {
  await using world = await openInProcessWorld();
  const { exitCode, stdout } = await world.run(["app-server", "schema", "--out", "protocol"]);
  const folder = join(world.work, "protocol");
  const names = ["app-server.schema.json", "app-server.d.ts"];
  expect({ exitCode, written: stdout.trim().split("\n") }).toEqual({
    exitCode: 0,
    written: names.map((name) => join(folder, name)),
  });
  expect((await readdir(folder)).toSorted()).toEqual(names.toSorted());
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
