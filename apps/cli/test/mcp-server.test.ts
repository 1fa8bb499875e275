import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";

test("unroll mcp-server answers a client on stdio and ends with its stdin", async () => {
  await using world = await openInProcessWorld();
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  const stdin = `${JSON.stringify(hello)}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n`;
  const { exitCode, stdout } = await world.run(["mcp-server"], { stdin });
  const answers = stdout.split("\n").filter(Boolean);
  expect(exitCode).toBe(0);
  expect(answers.map((line) => (JSON.parse(line) as { readonly id: number }).id)).toEqual([1, 2]);
  expect(answers[1]).toContain('"unroll_reply"');
});

test("unroll mcp-server with a wrong flag or config says so and ends", async () => {
  await using world = await openInProcessWorld();
  const flag = await world.run(["mcp-server", "--sandbox", "none"]);
  expect([flag.exitCode, flag.stderr]).toEqual([2, expect.stringContaining("unroll: option '-s, --sandbox <mode>'")]);
  const config = await world.run(["mcp-server"], { config: "model = 7" });
  expect([config.exitCode, config.stdout]).toEqual([5, ""]);
});
