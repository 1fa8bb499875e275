import { expect, test } from "vitest";
import {
  clientRequests,
  notifications,
  serverRequests,
  toProtocolSchema,
  toTypeScript,
} from "@unroll/app-server-protocol";

test("the JSON Schema names every method, with what it takes and gives", () => {
  const schema = toProtocolSchema();
  expect(Object.keys(schema.clientRequests)).toEqual(Object.keys(clientRequests));
  expect(Object.keys(schema.serverRequests)).toEqual(Object.keys(serverRequests));
  expect(Object.keys(schema.notifications)).toEqual(Object.keys(notifications));
  expect(schema.clientRequests["thread/unsubscribe"]).toEqual({
    params: { type: "object", properties: { threadId: { type: "string", minLength: 1 } }, required: ["threadId"] },
    result: {
      type: "object",
      properties: { status: { type: "string", enum: ["unsubscribed", "notSubscribed"] } },
      required: ["status"],
      additionalProperties: false,
    },
  });
});

test("whatever a client may send is declared with its type", () => {
  const { clientRequests: requests, ...rest } = toProtocolSchema();
  const params = Object.fromEntries(
    Object.entries(requests).map(([name, { params }]) => [name, { params, result: {} }]),
  );
  const text = toTypeScript({ ...rest, clientRequests: params, serverRequests: {}, notifications: {} });
  const untyped = [...text.matchAll(/"(\w+)"\??: unknown/g)].map(([, name]) => name);
  expect(untyped).toEqual(["value", "value"]); // of config/value/write and config/batchWrite, which take any
});

test("the declarations say what the schema says: choices, lists, tables, what may be left out", () => {
  const params = {
    type: "object",
    properties: {
      a: { type: "array", items: { type: "integer" } },
      b: { anyOf: [{ const: "x" }, { type: "null" }] },
      c: { type: "object", additionalProperties: { type: "boolean" } },
      d: {},
      e: { type: ["string", "null"] },
    },
    required: ["a"],
  };
  const result = { type: "object", properties: {} };
  const requests = { "one/two": { params, result } };
  const { $schema, title } = toProtocolSchema();
  const text = toTypeScript({ $schema, title, clientRequests: requests, serverRequests: {}, notifications: {} });
  expect(text).toContain(
    '  "one/two": { params: { "a": Array<number>; "b"?: ("x") | (null); "c"?: Record<string, boolean>; "d"?: unknown; "e"?: (string) | (null) }; result: Record<string, never> };',
  );
});
