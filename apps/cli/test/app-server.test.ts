import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";

test("unroll app-server answers an editor on stdio and ends with its stdin", async () => {
  await using world = await openInProcessWorld();
  const hello = { id: 1, method: "initialize", params: { clientInfo: { name: "test", version: "1.0.0" } } };
  const stdin = `${JSON.stringify(hello)}\n{"method":"initialized"}\n{"id":2,"method":"nope"}\n`;
  const { exitCode, stdout } = await world.run(["app-server"], { stdin });
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
