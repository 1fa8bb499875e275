import { createMcpGatewayTools } from "@unroll/tools";
import { describe, expect, it } from "vitest";
import { createRuntime, functionCall, outputText, runCalls, type RunResult, withFacts } from "../fake-ports.ts";
import { createFakeMcpClient, type FakeAnswers, type FakeMcpClient } from "./fake-mcp-client.ts";

async function run(
  name: string,
  input: unknown,
  answers: FakeAnswers = {},
): Promise<RunResult & { client: FakeMcpClient }> {
  const client = createFakeMcpClient(answers);
  return { client, ...(await runCalls(createRuntime(createMcpGatewayTools(client)), [functionCall(name, input)])) };
}
const entry = { server: "docs", uri: "docs:1", name: "One" };

describe("the resources of servers", () => {
  it("are listed, of all servers or of one, and the thread gets the events", async () => {
    const resources = { type: "listed", entries: [entry], nextCursor: null, failures: [] } as const;
    const all = await run("list_mcp_resources", {}, { resources });
    expect(outputText(all)).toBe(JSON.stringify({ resources: [entry] }));
    expect(all.client.queries).toEqual([{ kind: "resources", server: null, cursor: null }]);
    expect(all.events.at(-1)).toEqual(
      withFacts([
        {
          type: "item.completed",
          item: {
            id: "item_0",
            type: "mcp_tool_call",
            server: "*",
            tool: "list_mcp_resources",
            arguments: {},
            result: { content: [], structured_content: { resources: [entry] } },
            error: null,
            status: "completed",
          },
        },
      ])[0],
    );
    const one = await run("list_mcp_resource_templates", { server: "docs", cursor: "2" }, { resources });
    expect(one.client.queries).toEqual([{ kind: "templates", server: "docs", cursor: "2" }]);
    expect(outputText(one)).toBe(JSON.stringify({ templates: [entry] }));
  });

  it("are listed with where the next page begins and who could not be asked", async () => {
    const failures = [{ server: "late", message: "not up" }];
    const resources = { type: "listed", entries: [], nextCursor: "7", failures } as const;
    expect(JSON.parse(outputText(await run("list_mcp_resources", { server: "docs" }, { resources })))).toEqual({
      resources: [],
      nextCursor: "7",
      failures,
    });
  });

  it("have no cursor without a server", async () => {
    const { client, ...result } = await run("list_mcp_resources", { cursor: "2" });
    expect(outputText(result)).toBe("A cursor is of one server: call again with that server, too.");
    expect(client.queries).toEqual([]);
  });

  it("are read", async () => {
    const contents = [{ uri: "docs:1", mimeType: "text/plain", text: "hello" }];
    const result = await run(
      "read_mcp_resource",
      { server: "docs", uri: "docs:1" },
      { resource: { type: "read", contents } },
    );
    expect(outputText(result)).toBe("[resource docs:1, text/plain]\nhello");
    expect(result.events.at(-1)).toMatchObject({
      item: {
        server: "docs",
        tool: "read_mcp_resource",
        arguments: { uri: "docs:1" },
        result: { content: [{ type: "resource", resource: contents[0] }] },
      },
    });
  });

  it("that cannot be read give a reason and a next step", async () => {
    const failure = { type: "failed", code: "unknown_server", message: "There is none." } as const;
    for (const result of [
      await run("list_mcp_resources", { server: "x" }, { resources: failure }),
      await run("read_mcp_resource", { server: "x", uri: "x:1" }, { resource: failure }),
    ]) {
      expect(outputText(result)).toBe("There is none.\nmcp_search finds the tools that there are.");
      expect(result.events.at(-1)).toMatchObject({ item: { status: "failed", error: { message: "There is none." } } });
    }
  });
});
