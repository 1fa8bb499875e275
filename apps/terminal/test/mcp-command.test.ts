import { expect, test } from "vitest";
import { keys, openTerminalWorld } from "./terminal-world.ts";

/** A server with one tool, on stdin and stdout. */
const server = `
  const results = {
    initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "zoo", version: "1" } },
    "tools/list": { tools: [{ name: "feed", description: "Feeds an animal.", inputSchema: { type: "object" } }] },
  };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
  });
`;

const config = `mcp_servers.zoo.command = ${JSON.stringify(process.execPath)}
mcp_servers.zoo.args = ["-e", ${JSON.stringify(server)}]
mcp_servers.pond.command = "false"
`;

test.each([
  { name: "painted", plain: false },
  { name: "line by line", plain: true },
])(
  "/mcp SERVER shows one server with its tools, and lists the servers if there is none of that name, $name",
  async ({ plain }) => {
    await using world = await openTerminalWorld({ config });
    const seat = world.start({ plain }, { columns: 100, rows: 40 });
    await seat.shows("gpt-5-codex");
    seat.type(`hello${keys.enter}`);
    await seat.shows("all finished");
    await seat.shows("tokens:");
    const before = seat.bytes().length;
    seat.type(`/mcp zoo${keys.enter}`);
    await seat.shows("zoo: ready, 1 tool, about ");
    await seat.shows("Feeds an animal.");
    seat.type(`/mcp park${keys.enter}`);
    await seat.shows("No MCP server is named park. Configured: zoo, pond.");
    expect(seat.bytes().slice(before)).not.toContain("pond: failed");
  },
);

test("the lines of a script show one MCP server", async () => {
  await using world = await openTerminalWorld({ config });
  const { text, exitCode } = await world.run(["hello", "/mcp zoo", "/mcp pond"]);
  expect(exitCode).toBe(0);
  expect(text).toMatch(
    /> \/mcp zoo\nzoo: ready, 1 tool, about \d+ tokens in every request\n +feed +\d+ +Feeds an animal\.\n/,
  );
  expect(text).toContain("> /mcp pond\npond: failed\n");
});
