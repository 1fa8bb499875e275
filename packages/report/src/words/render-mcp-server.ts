import type { McpServerStatus, McpTool } from "@unroll/protocol";
import { countNouns, shortenText, toShownText } from "@unroll/text";

/** A server whose tools were measured: what each costs in every request, in tokens, about. */
export interface MeasuredServer extends Omit<McpServerStatus, "tools"> {
  readonly tools: readonly (McpTool & { readonly tokens: number })[];
}

/** A name under which no MCP server is configured. */
export interface MissingServer {
  readonly type: "missing";
  readonly name: string;
  /** The names that there are. */
  readonly known: readonly string[];
}

/** The limit for a tool's description. */
const shownCharacters = 80;

/** A server in lines: its state, its tools, and the tokens of each in every request. */
export function renderMcpServer(server: MeasuredServer): string {
  return toShownText([renderHead(server), ...renderTools(server)].join("\n"));
}

function renderHead({ id, state, tools, tokens, failure }: MeasuredServer): string {
  if (state !== "ready")
    return `${id}: ${state}\n  ${(failure?.message ?? "It had not started yet.").replaceAll("\n", "\n  ")}`;
  return `${id}: ready, ${countNouns(tools.length, "tool")}, about ${countNouns(tokens, "token")} in every request`;
}

function renderTools({ tools }: MeasuredServer): readonly string[] {
  const width = Math.max(0, ...tools.map(({ tool }) => tool.length));
  return tools.map(({ tool, tokens, description }) => {
    const [summary = ""] = description.split("\n");
    const cost = String(tokens).padStart(6);
    return `  ${tool.padEnd(width)}  ${cost}  ${shortenText(summary, shownCharacters)}`.trimEnd();
  });
}

/** Which servers there are. */
export function explainMissingServer({ name, known }: MissingServer): string {
  const list = known.length === 0 ? "No MCP servers are configured." : `The servers are: ${known.join(", ")}.`;
  return `There is no MCP server ${name}. ${list}`;
}
