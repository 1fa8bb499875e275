import * as z from "zod";
import { describeThrown } from "@unroll/text";

export type ParsedArguments<Input> =
  | { readonly type: "parsed"; readonly input: Input }
  | { readonly type: "rejected"; readonly message: string };

const maxIssues = 5;

/** JSON text as the model wrote it to a checked input. Empty text counts as `{}`: models send it for "no arguments". */
export function parseArguments<Schema extends z.ZodObject>(
  schema: Schema,
  text: string,
): ParsedArguments<z.output<Schema>> {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    const reason = describeThrown(error);
    return rejected(`Its arguments are not valid JSON: ${reason}`, "one JSON object");
  }
  const checked = schema.safeParse(value);
  if (checked.success) return { type: "parsed", input: checked.data };
  const issues = checked.error.issues.slice(0, maxIssues).map((issue) => `- ${describeIssue(issue)}`);
  return rejected(["Its arguments do not fit:", ...issues].join("\n"), describeFields(schema));
}

function rejected(problem: string, expected: string): ParsedArguments<never> {
  return { type: "rejected", message: `The call was not run. ${problem}\nCall it again with ${expected}.` };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = toDotPath(issue.path);
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}

/** `plan[0].status`. zod has this too, but reaching for it keeps a bundler from leaving out most of zod. */
function toDotPath(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

function describeFields(schema: z.ZodObject): string {
  const fields = Object.entries(schema.shape).map(([name, field]) =>
    z.safeParse(field, undefined).success ? `${name} (optional)` : name,
  );
  return `the fields ${fields.join(", ")}`;
}
