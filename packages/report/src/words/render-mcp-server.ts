import type { McpServerStatus, McpTool } from "@unroll/protocol";
import { countNouns, shortenText, toShownText } from "@unroll/text";
import { renderTable, type TableColumn } from "../text/render-table.ts";

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
const margin = "  ";

/** A server in lines: its state, its tools, and the tokens of each in every request. `width`: of the terminal, in cells; null: there is none. */
export function renderMcpServer(server: MeasuredServer, width: number | null): string {
  return toShownText([renderHead(server), ...renderTools(server, width)].join("\n"));
}

function renderHead({ id, state, tools, tokens, failure }: MeasuredServer): string {
  if (state !== "ready")
    return `${id}: ${state}\n  ${(failure?.message ?? "It had not started yet.").replaceAll("\n", "\n  ")}`;
  return `${id}: ready, ${countNouns(tools.length, "tool")}, about ${countNouns(tokens, "token")} in every request`;
}

const columns: readonly TableColumn<MeasuredServer["tools"][number]>[] = [
  { value: ({ tool }) => tool },
  { align: "right", least: 6, value: ({ tokens }) => String(tokens) },
  { value: ({ description }) => shortenText(description.split("\n", 1)[0] ?? "", shownCharacters) },
];

function renderTools({ tools }: MeasuredServer, width: number | null): readonly string[] {
  const room = width === null ? null : width - margin.length;
  return renderTable(tools, { layouts: [columns], width: room }).lines.map((line) => margin + line);
}

/** Which servers there are. */
export function explainMissingServer({ name, known }: MissingServer): string {
  const list = known.length === 0 ? "No MCP servers are configured." : `The servers are: ${known.join(", ")}.`;
  return `There is no MCP server ${name}. ${list}`;
}
