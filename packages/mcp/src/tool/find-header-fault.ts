const annotation = "x-mcp-header";
const token = /^[\w!#$%&'*+.^`|~-]+$/; // RFC 9110, 5.6.2
const headedTypes: readonly unknown[] = ["string", "integer", "boolean"];

/**
 * Why a tool of a stateless service cannot be called: its schema asks for a header (`x-mcp-header`,
 * protocol 2026-07-28) from a value that cannot be one. Null: it can be called.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function findHeaderFault(inputSchema: unknown): string | null {
  const names = new Set<string>();

  function visit(node: unknown, place: { readonly path: string; readonly isProperty: boolean }): string | null {
    if (typeof node !== "object" || node === null) return null;
    const fault = Object.hasOwn(node, annotation) && !Array.isArray(node) ? judge(node, place) : null;
    if (fault !== null) return `${place.path}: ${fault}`;
    for (const [key, child] of Object.entries(node)) {
      const isList = key === "properties" && !Array.isArray(node);
      const found = isList
        ? visitProperties(child, place)
        : visit(child, { path: `${place.path}.${key}`, isProperty: false });
      if (found !== null) return found;
    }
    return null;
  }

  function visitProperties(list: unknown, { path, isProperty }: { path: string; isProperty: boolean }): string | null {
    if (typeof list !== "object" || list === null) return null;
    for (const [name, schema] of Object.entries(list)) {
      const found = visit(schema, { path: `${path}.${name}`, isProperty: isProperty || path === root });
      if (found !== null) return found;
    }
    return null;
  }

  function judge(schema: object, { isProperty }: { isProperty: boolean }): string | null {
    if (!isProperty) return "only a property of the arguments can be a header";
    const name: unknown = Reflect.get(schema, annotation);
    if (typeof name !== "string" || !token.test(name)) return `${JSON.stringify(name)} is no name of a header`;
    if (!headedTypes.includes(Reflect.get(schema, "type")))
      return "only a string, an integer or a boolean can be a header";
    if (names.has(name.toLowerCase())) return `two arguments are the header ${name}`;
    names.add(name.toLowerCase());
    return null;
  }

  return visit(inputSchema, { path: root, isProperty: false });
}

const root = "arguments";
