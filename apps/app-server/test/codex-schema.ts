import { readFileSync } from "node:fs";
import { dereference, type Schema, validate } from "@cfworker/json-schema";

interface CodexSchema {
  readonly clientRequests: Readonly<Record<string, { readonly params: Schema; readonly result: Schema }>>;
  readonly serverRequests: Readonly<Record<string, { readonly params: Schema; readonly result: Schema }>>;
  readonly notifications: Readonly<Record<string, Schema>>;
}

const file = new URL("../../../conformance/front-ends/codex-app-server.json", import.meta.url);
const whole = JSON.parse(readFileSync(file, "utf8")) as CodexSchema & Schema;
const lookup = dereference(whole);

/** The app-server protocol of the Codex CLI, by its own schema. */
export const codexSchema: CodexSchema = whole;

/** Methods of earlier versions, whose results must be like those of a later one. */
const olderMethods: Readonly<Record<string, string>> = { "thread/rollback": "thread/read" };

/** A message of the server; `answers` is the method of the request that it answers. */
interface ServerMessage {
  readonly answers?: string;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** The faults of a message by the schema, each with its place; empty: it is valid. */
export function listFaults({ answers, id, method, params, result }: ServerMessage): readonly string[] {
  if (method !== undefined) {
    const schema = id === undefined ? codexSchema.notifications[method] : codexSchema.serverRequests[method]?.params;
    return check(method, params, schema);
  }
  return result === undefined || answers === undefined
    ? []
    : check(`= ${answers}`, result, codexSchema.clientRequests[olderMethods[answers] ?? answers]?.result);
}

function check(name: string, value: unknown, schema: Schema | undefined): readonly string[] {
  if (schema === undefined) return [`${name}: not in the schema`];
  const { valid, errors } = validate(value, schema, "7", lookup, false);
  if (valid) return [];
  const causes = errors.filter(
    ({ error }) => !error.startsWith("A subschema") && !error.includes("does not match schema"),
  );
  return causes.map(({ instanceLocation, error }) => `${name} ${instanceLocation}: ${error}`);
}
