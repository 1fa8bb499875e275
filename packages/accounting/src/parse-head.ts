type Fields = Readonly<Record<string, unknown>>;

/** What the model is told in front of all items. */
export interface HeadTexts {
  readonly instructions: string;
  /** Names. */
  readonly tools: readonly string[];
}

/** The texts at the beginning of a request, of its bytes: what is compared when a prefix breaks. */
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

/** Whom a request asks for what. */
export interface AskedModel {
  readonly model: string;
  /** Null: the ordinary one. */
  readonly serviceTier: string | null;
}

/** The model that a request asks for, of its bytes. */
export function readAskedModel(head: Uint8Array): AskedModel {
  const { model, service_tier: tier } = parseHead(head) ?? {};
  const isOrdinary = typeof tier !== "string" || tier === "auto" || tier === "default";
  return { model: typeof model === "string" ? model : "", serviceTier: isOrdinary ? null : tier };
}
