import { Validator } from "@cfworker/json-schema";
import type { JsonSchema, TurnError } from "@unroll/protocol";
import { shortenText } from "@unroll/text";

/** Why an answer is not JSON of the schema; null where it is. The provider promises it, which is not enough. */
export function checkAnswer(answer: string | null, schema: JsonSchema): TurnError | null {
  let value: unknown;
  try {
    value = JSON.parse(answer ?? "");
  } catch {
    return mismatch(`the answer is not JSON: ${JSON.stringify(shortenText(answer ?? "", 80))}`);
  }
  const { valid, errors } = new Validator({ ...schema }, "2020-12", false).validate(value);
  if (valid) return null;
  const deepest = errors.toSorted((a, b) => depth(b.instanceLocation) - depth(a.instanceLocation))[0];
  return mismatch(
    deepest ? `${placeOf(deepest.instanceLocation)}: ${deepest.error.replace(/\.$/, "")}` : "it does not fit",
  );
}

/** `#/a/0` as `/a/0`; the answer itself in words. */
function placeOf(location: string): string {
  return location === "#" ? "the answer" : location.slice(1);
}

function depth(location: string): number {
  return location.split("/").length;
}

function mismatch(what: string): TurnError {
  return { code: "schema_mismatch", message: `The answer does not fit the output schema: ${what}.` };
}
