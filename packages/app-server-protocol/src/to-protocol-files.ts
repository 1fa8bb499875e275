import { toProtocolSchema } from "./to-protocol-schema.ts";
import { toTypeScript } from "./to-typescript.ts";

/** The protocol as it is published, by the names of the files: JSON Schema, and TypeScript. */
export function toProtocolFiles(): Readonly<Record<string, string>> {
  const schema = toProtocolSchema();
  return {
    "app-server.schema.json": `${JSON.stringify(schema, null, 2)}\n`,
    "app-server.d.ts": toTypeScript(schema),
  };
}
