import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";

test("unroll acp answers an editor on stdio and ends with its stdin", async () => {
  await using world = await openInProcessWorld();
  const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
  const { exitCode, stdout } = await world.run(["acp"], { stdin: `${JSON.stringify(hello)}\n` });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { protocolVersion: 1, agentInfo: { name: "unroll" } } });
});

test("unroll acp login is unroll login", async () => {
  await using world = await openInProcessWorld();
  const { exitCode, stderr } = await world.run(["acp", "login"], { config: 'forced_login_method = "api"\n' });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("unroll login --with-api-key")]);
});
