/** A schema that is an object, before or after cleaning. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Null for anything but a JSON object. */
export function parseSchemaNode(value: unknown): SchemaNode | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as SchemaNode) : null;
}

/** Empty for anything but an array. */
export function parseSchemaList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/**
 * The target of a `#/…` pointer (RFC 6901) in `root`; undefined: there is none, or it is in another
 * document.
 */
export function resolvePointer(root: SchemaNode, ref: string): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  return ref
    .slice(2)
    .split("/")
    .map((step) => decodeStep(step).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, step) => {
      const holder = Array.isArray(value) ? (value as unknown as SchemaNode) : parseSchemaNode(value);
      return holder && Object.hasOwn(holder, step) ? holder[step] : undefined;
    }, root);
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
