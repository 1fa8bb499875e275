import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readPermissionFacts, renderPermissionsChange, toPermissionFacts } from "@unroll/prompt";
import type { MessageItem } from "@unroll/protocol";
import { expect, test } from "vitest";

interface Recorded {
  readonly context: Parameters<typeof toPermissionFacts>[0];
  /** As unroll 0.1 kept it: the whole message, as JSON. */
  readonly told: string;
}

const file = join(import.meta.dirname, "../../../conformance/threads/unroll-0.1-permissions.json");
const recorded = JSON.parse(readFileSync(file, "utf8")) as readonly Recorded[];

test.each(recorded.map((each, index) => [index, each] as const))(
  "a message of unroll 0.1 on permissions tells the facts of its settings (%i)",
  (_, { context, told }) => {
    expect(readPermissionFacts(JSON.parse(told) as MessageItem)).toEqual(toPermissionFacts(context));
  },
);

test("settings have the same facts exactly if the model reads the same text", () => {
  const facts = new Set(recorded.map(({ context }) => JSON.stringify(toPermissionFacts(context))));
  const messages = new Set(recorded.map(({ context }) => JSON.stringify(renderPermissionsChange(context))));
  expect([facts.size, messages.size]).toEqual([recorded.length, recorded.length]);
});

test("another message tells no facts", () => {
  const content = [{ type: "input_text", text: "# Sandbox: read-only" }] as const;
  expect(readPermissionFacts({ type: "message", role: "developer", content })).toBe(null);
});
