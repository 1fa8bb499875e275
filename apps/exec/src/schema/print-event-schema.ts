import { exitCodes, type ProcessIo } from "@unroll/program";
import * as z from "zod";
import { eventSchema } from "./event-schema.ts";

/**
 * Of the events; docs/events.md says it too. One more where a reader of the old ones would break: a member or a field is gone, or
 * has another meaning. What is new does not count: readers pass over what they do not know.
 */
const version = 1;

/** Writes the JSON Schema (draft 2020-12) of one line of `--json` to stdout. */
export function printEventSchema(io: ProcessIo): number {
  // as input: what else may come in an object is nobody's fault
  const { $schema, ...schema } = z.toJSONSchema(eventSchema, { io: "input" });
  const title = "An event of unroll exec --json";
  const head = { $schema, $id: `urn:unroll:exec-events:${version}`, title, version };
  io.stdout.stream.write(`${JSON.stringify({ ...head, ...schema }, null, 2)}\n`);
  return exitCodes.completed;
}
