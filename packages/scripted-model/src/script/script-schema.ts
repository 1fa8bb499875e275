import * as z from "zod";
import { type JsonObject, isJsonObject } from "../json.ts";
import type { Script, ScriptTurn } from "./script.ts";
import type { Cut, TurnEnd, TurnItem, TurnSettings } from "./turn.ts";

const milliseconds = z.int().min(0).max(3_600_000);
const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.unknown());
const event = z.union([z.string(), jsonObject], { error: "expected an event object, or text to send as it stands" });

const how = z.enum(["close", "reset", "end", "hang"]);
const cut: z.ZodType<Cut> = byKey<Cut>({
  afterEvents: z.strictObject({ afterEvents: z.int().min(0), how }),
  afterBytes: z.strictObject({ afterBytes: z.int().min(0), how }),
});

const end: z.ZodType<TurnEnd> = z.union(
  [
    z.enum(["completed", "none"]),
    z.strictObject({ failed: z.strictObject({ code: z.string(), message: z.string() }) }),
    z.strictObject({ incomplete: z.string() }),
  ],
  { error: 'expected "completed", "none", {"failed": {"code", "message"}} or {"incomplete": reason}' },
);

const item: z.ZodType<TurnItem> = byKey<TurnItem>({
  type: z.looseObject({ type: z.string() }),
  text: z.strictObject({ text: z.string() }),
  reasoning: z.strictObject({ reasoning: z.string() }),
  call: z.strictObject({ call: z.string(), arguments: z.unknown(), call_id: z.string().exactOptional() }),
  custom: z.strictObject({ custom: z.string(), input: z.string(), call_id: z.string().exactOptional() }),
  search: z.strictObject({ search: z.string() }),
  event: z.strictObject({ event }),
});

const count = z.int().min(0);
const usage = z.looseObject({
  input_tokens: count,
  input_tokens_details: z
    .looseObject({ cached_tokens: count.optional(), cache_write_tokens: count.optional() })
    .nullish(),
  output_tokens: count,
  output_tokens_details: z.looseObject({ reasoning_tokens: count.optional() }).nullish(),
  total_tokens: count,
});

const options = {
  status: z.int().min(200).max(599).exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  delayMs: milliseconds.exactOptional(),
  eventDelayMs: milliseconds.exactOptional(),
  cut: cut.exactOptional(),
  keepOpen: z.boolean().exactOptional(),
  newEpoch: z.boolean().exactOptional(),
  expect: z
    .strictObject({
      tools: z.array(z.string()).exactOptional(),
      lastInputContains: z.string().exactOptional(),
      inputContains: z.array(z.string()).exactOptional(),
      body: jsonObject.exactOptional(),
    })
    .exactOptional(),
  repeat: z.int().min(1).exactOptional(),
};

/** A turn as a file may hold it: `sse` names a recording, relative to the script. */
export type FileTurn = ScriptTurn | (TurnSettings & { readonly sse: string; readonly repeat?: number });

const turn: z.ZodType<FileTurn> = byKey<FileTurn>({
  items: z.strictObject({
    ...options,
    items: z.array(item),
    end: end.exactOptional(),
    usage: usage.nullable().exactOptional(),
    chunkBytes: z.int().min(1).exactOptional(),
  }),
  events: z.strictObject({ ...options, events: z.array(event) }),
  raw: z.strictObject({ ...options, raw: z.string() }),
  base64: z
    .strictObject({ ...options, base64: z.base64() })
    .transform(({ base64, ...rest }) => ({ ...rest, raw: Buffer.from(base64, "base64") })),
  sse: z.strictObject({ ...options, sse: z.string() }),
  stale: z.strictObject({ ...options, stale: z.literal(true) }),
  status: z.strictObject({ ...options, status: z.int().min(200).max(599), body: z.unknown().optional() }),
});

/** A script as a file may hold it. */
export interface FileScript extends Omit<Script, "turns" | "compactions"> {
  readonly turns: readonly FileTurn[];
  readonly compactions?: readonly FileTurn[];
}

/** Strict: a key that it does not know is an error, for it is most likely a slip. */
export const scriptSchema: z.ZodType<FileScript> = z.strictObject({
  turns: z.array(turn),
  atEnd: z.enum(["fail", "repeat-last"]).exactOptional(),
  compactions: z.array(turn).exactOptional(),
  models: z.array(z.string()).exactOptional(),
  affinity: z.enum(["hyphen", "underscore"]).exactOptional(),
  checks: z
    .strictObject({
      prefix: z.boolean().exactOptional(),
      calls: z.boolean().exactOptional(),
      fields: z.boolean().exactOptional(),
      store: z.boolean().exactOptional(),
    })
    .exactOptional(),
});

/**
 * A union told apart by which key an object has; the first key in the table that is there decides. Unlike `z.union` it
 * reports what is wrong with the one alternative that was meant.
 */
function byKey<Value>(alternatives: Readonly<Record<string, z.ZodType<Value>>>): z.ZodType<Value> {
  const keys = Object.keys(alternatives);
  return z.unknown().transform((value, context) => {
    const key = isJsonObject(value) ? keys.find((candidate) => candidate in value) : undefined;
    const parsed = key === undefined ? undefined : alternatives[key]?.safeParse(value);
    if (parsed?.success) return parsed.data;
    const problems = parsed?.error.issues ?? [
      { path: [], message: `expected an object with one of the keys ${keys.join(", ")}` },
    ];
    context.issues.push(
      ...problems.map(({ path, message }) => ({ code: "custom" as const, path, message, input: value })),
    );
    return z.NEVER;
  });
}
