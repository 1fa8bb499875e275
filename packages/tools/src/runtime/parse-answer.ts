import { type ContentPart, knownItemSchema, type MessageItem } from "@unroll/protocol";
import * as z from "zod";
import type { ToolResult } from "../tool/tool.ts";

export type ParsedAnswer =
  | { readonly type: "parsed"; readonly result: ToolResult }
  /** `fault` completes "it …". */
  | { readonly type: "rejected"; readonly fault: string };

/** The parts that the Responses API takes in an output. */
const parts: z.ZodType<readonly ContentPart[]> = z
  .array(
    z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("input_text"), text: z.string() }),
      z.strictObject({
        type: z.literal("input_image"),
        image_url: z.string().min(1),
        detail: z.enum(["auto", "low", "high", "original"]).exactOptional(),
      }),
    ]),
  )
  .min(1);

/** A call or an output among them would break the transcript. */
const message: z.ZodType<MessageItem> = z.unknown().transform((value, context) => {
  const item = knownItemSchema.safeParse(value).data;
  if (item?.type === "message") return item;
  context.addIssue({ code: "custom", message: "no message" });
  return z.NEVER;
});

const resultSchema: z.ZodType<ToolResult> = z.strictObject({
  output: z.union([z.string(), parts]),
  followUp: z.array(message).exactOptional(),
});

/** Checks what a tool gave back, whatever its types promised: nothing else gets into the transcript. */
export function parseAnswer(answer: unknown): ParsedAnswer {
  if (typeof answer === "string") return parsed({ output: answer });
  if (typeof answer !== "object" || answer === null) return fromScalar(answer);
  if ("output" in answer) return parseResult(answer);
  if (Array.isArray(answer) && answer.some(isLikePart)) return parseResult({ output: answer });
  return toJson(answer);
}

/** JSON has no number for NaN and the infinities: it would write null, which the tool did not say. */
function fromScalar(answer: unknown): ParsedAnswer {
  const isJson =
    answer === null || typeof answer === "boolean" || (typeof answer === "number" && Number.isFinite(answer));
  return isJson ? parsed({ output: String(answer) }) : rejected(`gave back ${nameOf(answer)}`);
}

function parseResult(answer: object): ParsedAnswer {
  const { data, error } = resultSchema.safeParse(answer);
  if (data) return parsed(data);
  const [field = "output"] = error.issues.flatMap(({ path, code }) => (code === "unrecognized_keys" ? [] : path));
  return rejected(`gave back a result that is none: see its ${String(field)}`);
}

/** For other objects (a `Response`, a `Map`), JSON would be empty. */
function toJson(answer: object): ParsedAnswer {
  const prototype: unknown = Object.getPrototypeOf(answer);
  const isPlain = prototype === null || prototype === Object.prototype || Array.isArray(answer) || "toJSON" in answer;
  if (!isPlain) return rejected("gave back an object that is no plain one, so no JSON");
  try {
    const json: unknown = JSON.stringify(answer);
    if (typeof json === "string") return parsed({ output: json });
  } catch {
    // a circle, a bigint, a toJSON that throws
  }
  return rejected("gave back an object that cannot be written as JSON");
}

function isLikePart(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value && String(value.type).startsWith("input_");
}

function nameOf(value: unknown): string {
  return value === undefined || typeof value === "number" ? String(value) : `a ${typeof value}`;
}

function parsed(result: ToolResult): ParsedAnswer {
  return { type: "parsed", result };
}

function rejected(fault: string): ParsedAnswer {
  return {
    type: "rejected",
    fault: `${fault}; it has to be text, content parts, any JSON, or { output, followUp? }`,
  };
}
