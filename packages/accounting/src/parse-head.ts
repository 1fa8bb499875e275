type Fields = Readonly<Record<string, unknown>>;

/** What the model is told in front of all items. */
export interface HeadTexts {
  readonly instructions: string;
  /** Names. */
  readonly tools: readonly string[];
}

export function readHeadTexts(head: Uint8Array | null): HeadTexts {
  const fields = (head === null ? null : parseHead(head)) ?? {};
  const { instructions, tools } = fields;
  const named = Array.isArray(tools) ? (tools as readonly { readonly name?: unknown; readonly type?: unknown }[]) : [];
  return {
    instructions: typeof instructions === "string" ? instructions : "",
    tools: named.map(({ name, type }) => String(name ?? type)),
  };
}

/** What stands in front of a request's input, by field; null where the bytes are no such thing. */
export function parseHead(head: Uint8Array): Fields | null {
  try {
    const value: unknown = JSON.parse(`${new TextDecoder().decode(head)}]}`);
    return typeof value === "object" && value !== null ? (value as Fields) : null;
  } catch {
    return null;
  }
}

/** Null: the ordinary one. */
export function readServiceTier(head: Uint8Array | null): string | null {
  const tier = head === null ? null : parseHead(head)?.["service_tier"];
  return typeof tier === "string" && tier !== "auto" && tier !== "default" ? tier : null;
}
