import { createHost, loadProgramConfig } from "@unroll/program";
import { openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { findServer, listServers, measureServer, startServers } from "@unroll/use-cases/mcp";
import { expect, test } from "vitest";

const { signal } = new AbortController();

test("servers are found by their names, and one that fails does not hide the others", async () => {
  await using home = await openModelHome({ script: { turns: [] } });
  const env = { PATH: process.env["PATH"], HOME: home.home };
  const host = createHost(createTestIo({ env, cwd: home.work, homeDirectory: home.home }));
  const servers = ["mcp_servers.one.command=unroll-no-such-program", "mcp_servers.two.command=unroll-no-such-program"];
  const config = await loadProgramConfig({ config: [...servers, "mcp_servers.two.required=true"] }, host);
  expect(findServer("three", config)).toEqual({ type: "missing", name: "three", known: ["one", "two"] });
  const chosen = ["two", "one"].flatMap((name) => {
    const found = findServer(name, config);
    return found.type === "missing" ? [] : [found];
  });
  const started = await startServers(chosen, { config, host, signal });
  expect(started.servers).toMatchObject([
    { id: "two", state: "failed", tools: [] },
    { id: "one", state: "failed", tools: [] },
  ]);
  expect(listServers(started.servers.slice(0, 1), config.mcpServers)).toMatchObject([
    { id: "two", status: { state: "failed" } },
    { id: "one", status: null },
  ]);
});

test("a server is measured by its tools", () => {
  const parameters = { type: "object", properties: {} } as const;
  const tool = { name: "mcp__a__b", server: "a", tool: "b", description: "Does b.", parameters, readOnly: false };
  const [measured] = measureServer({ id: "a", state: "ready", tools: [tool], tokens: 30, failure: null }).tools;
  expect(measured).toEqual({ ...tool, tokens: expect.any(Number) });
  expect(measured?.tokens).toBeGreaterThan(10);
});
