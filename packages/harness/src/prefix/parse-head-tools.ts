import type { ToolSpec } from "@unroll/protocol";

/** The tools of a head, each by its name, or its type where it has none. */
export type HeadTools = ReadonlyMap<string, HeadTool>;

interface HeadTool {
  readonly type: string;
  /** All of it as JSON, without its texts for the model: they may be worded anew. */
  readonly shape: string;
}

const decoder = new TextDecoder();

/** The tools of the bytes that open a request; none where these are of another kind. */
export function parseHeadTools(head: Uint8Array): HeadTools {
  return toHeadTools(parseHeadSpecs(head));
}

/** The same as they are sent. */
export function parseHeadSpecs(head: Uint8Array): readonly ToolSpec[] {
  try {
    const request = JSON.parse(`${decoder.decode(head)}]}`) as { readonly tools?: unknown };
    return Array.isArray(request.tools) ? (request.tools as readonly ToolSpec[]) : [];
  } catch {
    return [];
  }
}

/** It comes and goes with the person, who may be there in one process and not in the next: no reason to begin anew. */
const ofPerson = "request_user_input";

export function toHeadTools(tools: readonly unknown[]): HeadTools {
  const named = tools.map((tool): readonly [string, HeadTool] => {
    const { name, type } = tool as { readonly name?: unknown; readonly type?: unknown };
    return [String(name ?? type), { type: String(type), shape: toShape(tool) }];
  });
  return new Map(named.filter(([name]) => name !== ofPerson));
}

function toShape(tool: unknown): string {
  return JSON.stringify(tool, (key, value: unknown) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );
}
