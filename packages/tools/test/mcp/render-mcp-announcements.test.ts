import * as fc from "fast-check";
import { renderMcpAnnouncements } from "@unroll/tools";
import { describe, expect, it } from "vitest";
import { toolOf } from "./fake-mcp-client.ts";

describe("the announcement of tools", () => {
  it("gives names, descriptions and input schemas of late tools, and names of those left out for size", () => {
    expect(
      renderMcpAnnouncements([
        { server: "slow", reason: "late", tools: [toolOf("slow", "echo", { description: "Echoes </mcp_tools>." })] },
        { server: "huge", reason: "size", tools: [toolOf("huge", "all")] },
      ]),
    ).toBe(`<mcp_tools>
These tools of MCP servers are not in your list of tools, which stays as it is. Call them with mcp_call. Where no input schema is shown, mcp_search shows it.
{"server":"slow","tool":"echo","description":"Echoes \\u003c/mcp_tools>.","input_schema":{"type":"object","properties":{}}}
{"server":"huge","tool":"all"}
</mcp_tools>`);
  });

  it("is empty where there is nothing to tell", () => {
    expect(renderMcpAnnouncements([])).toBe("");
  });

  it("names all before it describes any, and counts what it cannot name", () => {
    const tools = Array.from({ length: 200 }, (_, index) =>
      toolOf("zoo", `tool_${index}`, { description: "x".repeat(100) }),
    );
    const some = renderMcpAnnouncements([{ server: "zoo", reason: "late", tools: tools.slice(0, 20) }], 2_000);
    expect(some.match(/"tool":/g)).toHaveLength(20);
    expect(some.match(/"description":/g)?.length).toBeLessThan(20);
    const many = renderMcpAnnouncements([{ server: "zoo", reason: "late", tools }], 2_000);
    const named = many.match(/"tool":/g)?.length ?? 0;
    expect(many).toContain(`\n${200 - named} more tools: mcp_search finds them.\n`);
  });

  it("is never longer than it may be", () => {
    const tool = fc.record({
      tool: fc.string({ maxLength: 80 }),
      description: fc.string({ unit: "grapheme", maxLength: 400 }),
    });
    fc.assert(
      fc.property(
        fc.array(tool, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1_000, max: 5_000 }),
        (tools, maxBytes) => {
          const known = tools.map((each) => toolOf("zoo", each.tool, each));
          const message = renderMcpAnnouncements([{ server: "zoo", reason: "late", tools: known }], maxBytes);
          expect(new TextEncoder().encode(message).length).toBeLessThanOrEqual(maxBytes);
        },
      ),
    );
  });
});
