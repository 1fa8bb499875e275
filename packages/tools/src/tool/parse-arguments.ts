import type { JsonSchema } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import { checkValue, type InputSchema } from "../schema/input-schema.ts";

export type ParsedArguments<Input> =
  | { readonly type: "parsed"; readonly input: Input }
  | { readonly type: "rejected"; readonly message: string };

/** The schema of the arguments, and the same for the model. */
export interface ArgumentSchemas<Input> {
  readonly input: InputSchema<Input>;
  readonly parameters: JsonSchema;
}

/** JSON text as the model wrote it to a checked input. Empty text counts as `{}`: models send it for "no arguments". */
export async function parseArguments<Input>(
  { input, parameters }: ArgumentSchemas<Input>,
  text: string,
): Promise<ParsedArguments<Input>> {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    const reason = describeThrown(error);
    return rejected(`Its arguments are not valid JSON: ${reason}`, "one JSON object");
  }
  const checked = await checkValue(input, value);
  if (checked.type === "fits") return { type: "parsed", input: checked.value };
  const faults = checked.faults.map((fault) => `- ${fault}`);
  return rejected(["Its arguments do not fit:", ...faults].join("\n"), describeFields(parameters));
}

function rejected(problem: string, expected: string): ParsedArguments<never> {
  return { type: "rejected", message: `The call was not run. ${problem}\nCall it again with ${expected}.` };
}

function describeFields({ properties = {}, required = [] }: JsonSchema): string {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.keys(Object(properties)).map((name) => (needed.includes(name) ? name : `${name} (optional)`));
  return fields.length === 0 ? "one JSON object" : `the fields ${fields.join(", ")}`;
}
