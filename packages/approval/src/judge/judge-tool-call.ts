import type { GatedMcpCall, GatedTool } from "@unroll/tools";
import type { McpApprovalMode, McpServerConfig } from "@unroll/protocol";
import { type AskJudgement, type Judgement, type JudgePlace, runInside } from "./judgement.ts";

/** A tool of the program does what its own `approval` says. */
export function judgeToolCall({ tool, arguments: input, approval }: GatedTool, place: JudgePlace): Judgement {
  if (approval === "run") return runInside;
  const asker = { askedBy: `tool ${tool}`, reason: `The tool ${tool} asks before it runs.` };
  return {
    type: "ask",
    question: { type: "tool.approval", ...place, ...asker, server: null, tool, arguments: input, isKeepable: true },
    verdict: runInside,
    kept: [["tool", tool]],
  };
}

interface McpRules {
  readonly mode: McpApprovalMode;
  /** Whether a tool of mode `auto` needs an approval: `asksOfTools` of `Approvals`. */
  readonly isAttended: boolean;
}

/** Judges by the tool's approval mode in the config, and by whether its server calls it read-only. */
export function judgeMcpCall(call: GatedMcpCall, { mode, isAttended }: McpRules, place: JudgePlace): Judgement {
  switch (mode) {
    case "approve":
      return runInside;
    case "auto":
      return call.readOnly || !isAttended ? runInside : askOnce(call, place);
    case "writes":
      return call.readOnly ? runInside : askEachTime(call, mode, place);
    case "prompt":
      return askEachTime(call, mode, place);
  }
}

function askOnce(gated: GatedMcpCall, place: JudgePlace): AskJudgement {
  const { server, tool } = gated.call;
  const reason = `The MCP server ${server} does not say of its tool ${tool} that it only reads.`;
  return ask(gated, { askedBy: "a tool that may change something", reason, kept: [["mcp", server, tool]] }, place);
}

function askEachTime(gated: GatedMcpCall, mode: McpApprovalMode, place: JudgePlace): AskJudgement {
  const { server, tool } = gated.call;
  const reason = `The config asks before each call of the tool ${tool} of the MCP server ${server}.`;
  return ask(gated, { askedBy: `approval mode ${mode} of mcp_servers.${server}`, reason, kept: [] }, place);
}

function ask(
  { call }: GatedMcpCall,
  { kept, ...asker }: Pick<AskJudgement, "kept"> & { readonly askedBy: string; readonly reason: string },
  place: JudgePlace,
): AskJudgement {
  const { server, tool, arguments: input } = call;
  return {
    type: "ask",
    question: {
      type: "tool.approval",
      ...place,
      ...asker,
      server,
      tool,
      arguments: input,
      isKeepable: kept.length > 0,
    },
    verdict: runInside,
    kept,
  };
}

/** The config's approval mode for a tool of an MCP server; `auto` if none is set. `tool` is the server's own name. */
export function findMcpApprovalMode(
  servers: readonly McpServerConfig[],
  { server, tool }: { readonly server: string; readonly tool: string },
): McpApprovalMode {
  const config = servers.find(({ id }) => id === server);
  if (config === undefined) return "auto";
  return Object.hasOwn(config.toolApprovalModes, tool)
    ? (config.toolApprovalModes[tool] ?? "auto")
    : config.approvalMode;
}
