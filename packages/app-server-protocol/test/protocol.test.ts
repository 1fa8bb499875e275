import {
  clientRequests,
  notifications,
  serverRequests,
  toJsonSchemaFiles,
  toTypeScriptFiles,
} from "@unroll/app-server-protocol";
import { expect, test } from "vitest";

type Schema = Readonly<Record<string, unknown>>;

const files = toJsonSchemaFiles({ experimental: true });

function read(path: string): Schema {
  return JSON.parse(files[path] ?? "null") as Schema;
}

test("the JSON Schema names every method, with what it takes and gives", () => {
  const methodsOf = (path: string): readonly unknown[] =>
    (read(path)["oneOf"] as readonly { properties: { method: { enum: readonly string[] } } }[]).map(
      ({ properties }) => properties.method.enum[0],
    );
  expect(methodsOf("ClientRequest.json")).toEqual(Object.keys(clientRequests));
  expect(methodsOf("ServerRequest.json")).toEqual(Object.keys(serverRequests));
  expect(methodsOf("ServerNotification.json")).toEqual(Object.keys(notifications));
  expect(read("v2/ThreadUnsubscribeParams.json")).toMatchObject({
    title: "ThreadUnsubscribeParams",
    type: "object",
    properties: { threadId: { type: "string", minLength: 1 } },
    required: ["threadId"],
  });
});

test("each type that a file or a bundle refers to is in it", () => {
  const missing = Object.entries(files).flatMap(([path, text]) =>
    [...text.matchAll(/"\$ref": "#\/definitions\/([^"]+)"/g)]
      .filter(([, name = ""]) => {
        const found = name
          .split("/")
          .reduce<unknown>((at, part) => (at as Schema | undefined)?.[part], read(path)["definitions"]);
        return found === undefined;
      })
      .map(([, name]) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("whatever a client may send is declared with its type", () => {
  const untyped = Object.entries(toTypeScriptFiles({ experimental: true }))
    .filter(([path]) => path.endsWith("Params.ts"))
    .flatMap(([path, text]) => [...text.matchAll(/"(\w+)"\??: unknown/g)].map(([, name]) => `${path} ${name}`));
  expect(untyped).toMatchInlineSnapshot(`
    [
      "v2/ConfigBatchWriteParams.ts value",
      "v2/ConfigValueWriteParams.ts value",
    ]
  `);
});

test("the TypeScript imports each type that it uses from a file that is there", () => {
  const types = toTypeScriptFiles({ experimental: false });
  const missing = Object.entries(types).flatMap(([path, text]) =>
    [...text.matchAll(/^import type \{ \w+ \} from "(.*)";$/gm)]
      .map(([, from = ""]) => new URL(`${from}.ts`, `file:///${path}`).pathname.slice(1))
      .filter((target) => types[target] === undefined),
  );
  expect(missing).toEqual([]);
  expect(types["v2/ThreadUnsubscribeParams.ts"]).toContain(
    'export type ThreadUnsubscribeParams = { "threadId": string };',
  );
});
