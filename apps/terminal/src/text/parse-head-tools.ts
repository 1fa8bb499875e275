/** A tool as a request lists it. */
export interface HeadTool {
  readonly name: string;
  /** Of its JSON. */
  readonly bytes: number;
}

/** The tools in the bytes that open the requests of a thread; none where they cannot be read. */
export function readHeadTools(head: Uint8Array): readonly HeadTool[] {
  try {
    const value = JSON.parse(`${new TextDecoder().decode(head)}]}`) as { readonly tools?: unknown } | null;
    const tools = Array.isArray(value?.tools)
      ? (value.tools as readonly { readonly name?: unknown; readonly type?: unknown }[])
      : [];
    return tools.map((tool) => ({
      name: String(tool.name ?? tool.type),
      bytes: new TextEncoder().encode(JSON.stringify(tool)).length,
    }));
  } catch {
    return [];
  }
}
