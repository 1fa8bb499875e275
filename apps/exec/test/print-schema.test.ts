import { type Schema, Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { openExecWorld } from "./exec-world.ts";

const turns = [
  { items: [{ reasoning: "Hm." }, { call: "exec_command", arguments: { cmd: "echo out" } }] },
  { items: [{ custom: "apply_patch", input: "*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch\n" }] },
  { items: [{ call: "no_such_tool", arguments: {} }] },
  { status: 503, headers: { "retry-after": "0" } },
  { status: 400, body: { error: { message: "Not so.", code: "bad_thing" } } },
];

test("exec --print-schema writes a versioned JSON Schema that fits each event of a run, and starts nothing", async () => {
  await using world = await openExecWorld({ script: { turns } });
  const printed = await world.run({ printSchema: true });
  expect(printed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(world.model.requests).toEqual([]);
  const schema = JSON.parse(printed.stdout) as Schema;
  expect(schema).toMatchObject({ $id: "urn:unroll:exec-events:1", version: 1 });

  const validator = new Validator(schema, "2020-12");
  const { events } = await world.run({
    prompt: "Go",
    json: true,
    config: ["budget.max_turns=9"],
    sandbox: "danger-full-access",
  });
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["item.completed", "stream.retrying", "budget.updated", "request.completed", "turn.failed"]),
  );
  expect(events.filter((event) => !validator.validate(event).valid)).toEqual([]);
  expect(validator.validate({ type: "turn.finished" }).valid).toBe(false);
});
