import type {
  McpCall,
  McpCallOutcome,
  McpContent,
  McpProgress,
  McpResourceList,
  McpResourceOutcome,
  McpResourceQuery,
  McpTool,
} from "@unroll/protocol";
import type { McpClient } from "@unroll/tools";

export function toolOf(server: string, tool: string, more: Partial<McpTool> = {}): McpTool {
  const name = `mcp__${server}__${tool}`;
  return {
    name,
    server,
    tool,
    description: "",
    parameters: { type: "object", properties: {} },
    readOnly: false,
    ...more,
  };
}

export function completed(
  content: readonly McpContent[],
  more: { structuredContent?: unknown; isError?: boolean } = {},
): McpCallOutcome {
  return { type: "completed", content, structuredContent: null, isError: false, ...more };
}

export function text(value: string): McpContent {
  return { type: "text", text: value };
}

export interface FakeMcpClient extends McpClient {
  readonly calls: readonly McpCall[];
  readonly queries: readonly McpResourceQuery[];
}

export interface FakeAnswers {
  readonly tools?: readonly McpTool[];
  readonly answer?: McpCallOutcome | ((call: McpCall, signal: AbortSignal) => Promise<McpCallOutcome>);
  /** Told before the answer. */
  readonly progress?: readonly McpProgress[];
  readonly resources?: McpResourceList;
  readonly resource?: McpResourceOutcome;
}

/** Answers every call with `done` unless told otherwise. */
export function createFakeMcpClient(answers: FakeAnswers = {}): FakeMcpClient {
  const calls: McpCall[] = [];
  const queries: McpResourceQuery[] = [];
  const { answer = completed([text("done")]) } = answers;
  return {
    calls,
    queries,
    tools: () => answers.tools ?? [],
    async call(call, { signal, onProgress }) {
      calls.push(call);
      for (const each of answers.progress ?? []) onProgress(each);
      return typeof answer === "function" ? answer(call, signal) : answer;
    },
    async listResources(query) {
      queries.push(query);
      return answers.resources ?? { type: "listed", entries: [], nextCursor: null, failures: [] };
    },
    readResource: async () => answers.resource ?? { type: "read", contents: [] },
  };
}
