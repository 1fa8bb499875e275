import * as z from "zod";
import { clientRequests } from "./client-requests.ts";
import { notifications } from "./notifications.ts";
import { serverRequests } from "./server-requests.ts";
import {
  approvalPolicy,
  collaborationMode,
  sandboxMode,
  sandboxPolicy,
  thread,
  threadSettings,
  threadStatus,
  turn,
  turnError,
} from "./thread.ts";
import { commandAction, fileUpdate, threadItem, userInput } from "./thread-item.ts";
import { inRoot, inV2, isExperimental, toTypeName, type TypeName } from "./type-names.ts";

/** A JSON Schema (draft 7). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A type with its schema; it refers to others as `#/definitions/NAME`. */
export interface ProtocolType extends TypeName {
  readonly schema: JsonSchema;
}

/** Types that others use; the files name them. */
const shared = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  AskForApproval: approvalPolicy,
  CollaborationMode: collaborationMode,
  CommandAction: commandAction,
  FileUpdateChange: fileUpdate,
  SandboxMode: sandboxMode,
  SandboxPolicy: sandboxPolicy,
  Thread: thread,
  ThreadItem: threadItem,
  ThreadSettings: threadSettings,
  ThreadStatus: threadStatus,
  Turn: turn,
  TurnError: turnError,
  UserInput: userInput,
})) {
  shared.add(schema, { id });
}

/** The types of the protocol, each once. `experimental`: with the experimental methods, too. */
export function toProtocolTypes({ experimental }: { readonly experimental: boolean }): readonly ProtocolType[] {
  const types = new Map<string, ProtocolType>();
  const addNamed = (typeName: TypeName, schema: JsonSchema): void => {
    if (!types.has(typeName.name)) types.set(typeName.name, { ...typeName, schema });
  };
  const add = (typeName: TypeName, schema: z.ZodType, io: "input" | "output"): string => {
    const {
      $schema: _,
      definitions,
      ...members
    } = z.toJSONSchema(schema, {
      io,
      reused: "inline",
      target: "draft-7",
      metadata: shared,
    });
    for (const [name, definition] of Object.entries(definitions ?? {})) {
      // A type that both sides write is declared as a client may write it: some members may be left out
      if (io === "input") types.delete(name);
      addNamed(name === "CollaborationMode" ? inRoot(name) : inV2(name), withoutId(definition));
    }
    addNamed(typeName, members);
    return typeName.name;
  };
  const isWritten = ([method]: readonly [string, unknown]): boolean => experimental || !isExperimental(method);
  const toRequests = (
    requests: Readonly<Record<string, { readonly params: z.ZodType; readonly result: z.ZodType }>>,
    io: "input" | "output",
  ): readonly JsonSchema[] =>
    Object.entries(requests)
      .filter(isWritten)
      .map(([method, { params, result }]) => {
        add(toTypeName(method, "Response"), result, io === "input" ? "output" : "input");
        return toMessage(method, {
          id: toRef("RequestId"),
          params: toRef(add(toTypeName(method, "Params"), params, io)),
        });
      });
  addNamed(inRoot("RequestId"), { anyOf: [{ type: "string" }, { type: "integer" }] });
  addNamed(inRoot("ClientRequest"), { oneOf: toRequests(clientRequests, "input") });
  addNamed(inRoot("ClientNotification"), { oneOf: [toMessage("initialized", {})] });
  addNamed(inRoot("ServerRequest"), { oneOf: toRequests(serverRequests, "output") });
  const told = Object.entries(notifications)
    .filter(isWritten)
    .map(([method, params]) =>
      toMessage(method, { params: toRef(add(toTypeName(method, "Notification"), params, "output")) }),
    );
  addNamed(inRoot("ServerNotification"), { oneOf: told });
  return [...types.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function toMessage(method: string, members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const properties = { ...members, method: { type: "string", enum: [method] } };
  return { type: "object", properties, required: Object.keys(properties) };
}

function toRef(name: string): JsonSchema {
  return { $ref: `#/definitions/${name}` };
}

/** The registry's id, which is not of draft 7. */
function withoutId(schema: JsonSchema): JsonSchema {
  const { id: _, $id: __, ...members } = schema;
  return members;
}
