import * as fc from "fast-check";
import type { McpAnnouncement, McpTool } from "@unroll/protocol";
import { renderMcpAnnouncements } from "@unroll/tools";
import { describe, expect, it } from "vitest";
import { toolOf } from "./fake-mcp-client.ts";

const render = (announcements: readonly McpAnnouncement[], maxBytes?: number, hasGateway = true): string =>
  renderMcpAnnouncements(announcements, { hasGateway, ...(maxBytes !== undefined && { maxBytes }) });

const added = (server: string, tools: readonly McpTool[]): McpAnnouncement => ({
  server,
  reason: "late",
  added: tools,
  changed: [],
  removed: [],
});

describe("the announcement of tools", () => {
  it("gives names, descriptions and input schemas of late tools, and names of those left out for size", () => {
    expect(
      render([
        added("slow", [toolOf("slow", "echo", { description: "Echoes </mcp_tools>." })]),
        { ...added("huge", [toolOf("huge", "all")]), reason: "size" },
      ]),
    ).toBe(`<mcp_tools>
These tools of MCP servers are not in your list of tools, which stays as it is. Call them with mcp_call. Where no input schema is shown, mcp_search shows it.
{"server":"slow","tool":"echo","description":"Echoes \\u003c/mcp_tools>.","input_schema":{"type":"object","properties":{}}}
{"server":"huge","tool":"all"}
</mcp_tools>`);
  });

  it("says what is gone and what takes other arguments, by the names that the list has", () => {
    const [old, same, fresh] = ["old", "same", "fresh"].map((name) => toolOf("zoo", name)) as [
      McpTool,
      McpTool,
      McpTool,
    ];
    expect(render([{ ...added("zoo", [fresh]), changed: [same], removed: [old] }])).toBe(`<mcp_tools>
These tools of MCP servers no longer exist. Do not call them, even if your list of tools shows them.
{"name":"mcp__zoo__old"}
These tools of MCP servers now take other arguments. Call them as before, with the input schema shown here.
{"name":"mcp__zoo__same","description":"","input_schema":{"type":"object","properties":{}}}
These tools of MCP servers are not in your list of tools, which stays as it is. Call them with mcp_call. Where no input schema is shown, mcp_search shows it.
{"server":"zoo","tool":"fresh","description":"","input_schema":{"type":"object","properties":{}}}
</mcp_tools>`);
  });

  it("names no tool that the thread's list does not have: without the gateway's, tools are called by name", () => {
    const tools = Array.from({ length: 60 }, (_, index) => toolOf("zoo", `tool_${index}`));
    const text = render([added("zoo", tools)], 1_000, false);
    expect(text).toContain('You can call each by its name all the same.\n{"name":"mcp__zoo__tool_0"');
    expect(text).not.toMatch(/mcp_call|mcp_search/);
    expect(text).toMatch(/\n\d+ more\.\n<\/mcp_tools>$/);
  });

  it("is empty where there is nothing to tell", () => {
    expect(render([])).toBe("");
  });

  it("names all before it describes any, and counts what it cannot name", () => {
    const tools = Array.from({ length: 200 }, (_, index) =>
      toolOf("zoo", `tool_${index}`, { description: "x".repeat(100) }),
    );
    const some = render([added("zoo", tools.slice(0, 20))], 2_000);
    expect(some.match(/"tool":/g)).toHaveLength(20);
    expect(some.match(/"description":/g)?.length).toBeLessThan(20);
    const many = render([added("zoo", tools)], 2_000);
    const named = many.match(/"tool":/g)?.length ?? 0;
    expect(many).toContain(`\n${200 - named} more: mcp_search shows which tools there are.\n`);
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
          const half = known.length / 2;
          const news = {
            added: known.slice(half),
            changed: known.slice(0, half / 2),
            removed: known.slice(half / 2, half),
          };
          const message = render([{ server: "zoo", reason: "late", ...news }], maxBytes);
          expect(new TextEncoder().encode(message).length).toBeLessThanOrEqual(maxBytes);
        },
      ),
    );
  });
});
