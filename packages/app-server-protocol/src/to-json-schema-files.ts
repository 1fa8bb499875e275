import { type JsonSchema, type ProtocolType, toProtocolTypes } from "./protocol-types.ts";

/** The protocol as JSON Schema (draft 7), by the paths of the files: one for each type, and two bundles. */
export function toJsonSchemaFiles(options: { readonly experimental: boolean }): Readonly<Record<string, string>> {
  const types = toProtocolTypes(options);
  const byName = new Map(types.map((type) => [type.name, type]));
  const current = types.filter(({ jsonSchema, name }) => jsonSchema === "v2" || name === "RequestId");
  const others = types.filter((type) => !current.includes(type) || type.name === "RequestId");
  const currentNames = new Set(current.filter(({ name }) => name !== "RequestId").map(({ name }) => name));
  const intoV2 = (name: string): string => (currentNames.has(name) ? `v2/${name}` : name);
  const whole = {
    ...toDefinitions(others, intoV2),
    v2: toDefinitions(
      current.filter(({ name }) => currentNames.has(name)),
      intoV2,
    ),
  };
  return {
    ...Object.fromEntries(types.map((type) => [toPath(type), toText(toFile(type, byName))])),
    "codex_app_server_protocol.schemas.json": toText(toBundle("CodexAppServerProtocol", whole)),
    "codex_app_server_protocol.v2.schemas.json": toText(
      toBundle("CodexAppServerProtocolV2", toDefinitions(types, keep)),
    ),
  };
}

const $schema = "http://json-schema.org/draft-07/schema#";
const prefix = "#/definitions/";
const keep = (name: string): string => name;

function toPath({ name, jsonSchema }: ProtocolType): string {
  return `${jsonSchema === null ? "" : `${jsonSchema}/`}${name}.json`;
}

function toText(schema: JsonSchema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function toBundle(title: string, definitions: JsonSchema): JsonSchema {
  return { $schema, title, type: "object", definitions };
}

function toDefinitions(types: readonly ProtocolType[], rename: (name: string) => string): JsonSchema {
  return Object.fromEntries(types.map(({ name, schema }) => [name, { title: name, ...renameRefs(schema, rename) }]));
}

/** A schema with the definitions of all types that it needs. */
function toFile({ name, schema }: ProtocolType, byName: ReadonlyMap<string, ProtocolType>): JsonSchema {
  const needed = new Set<string>();
  const collect = (of: JsonSchema): void => {
    for (const ref of findRefs(of)) {
      const type = byName.get(ref);
      if (type === undefined || needed.has(ref)) continue;
      needed.add(ref);
      collect(type.schema);
    }
  };
  collect(schema);
  const definitions = Object.fromEntries([...needed].toSorted().map((ref) => [ref, byName.get(ref)?.schema]));
  return { $schema, title: name, ...schema, ...(needed.size === 0 ? {} : { definitions }) };
}

/** The names of the types that a schema refers to itself. */
export function findRefs(schema: JsonSchema): ReadonlySet<string> {
  const refs = new Set<string>();
  renameRefs(schema, (name) => {
    refs.add(name);
    return name;
  });
  return refs;
}

function renameRefs(schema: JsonSchema, rename: (name: string) => string): JsonSchema {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, renameIn(key, value, rename)]));
}

function renameIn(key: string, value: unknown, rename: (name: string) => string): unknown {
  if (key === "$ref" && typeof value === "string" && value.startsWith(prefix)) {
    return prefix + rename(value.slice(prefix.length));
  }
  if (Array.isArray(value)) return value.map((each: unknown) => renameIn("", each, rename));
  return typeof value === "object" && value !== null ? renameRefs({ ...value }, rename) : value;
}
