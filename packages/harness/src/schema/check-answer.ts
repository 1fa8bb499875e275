import { Validator } from "@cfworker/json-schema";
import type { JsonSchema, TurnError } from "@unroll/protocol";
import { shortenText } from "@unroll/text";

/**
 * Why a response does not match the schema; null: it does. The provider promises a match, but that
 * is not enough.
 */
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

/** Turns `#/a/0` into `/a/0`; the response itself is named in words. */
function placeOf(location: string): string {
  return location === "#" ? "the answer" : location.slice(1);
}

function depth(location: string): number {
  return location.split("/").length;
}

function mismatch(what: string): TurnError {
  return { code: "schema_mismatch", message: `The answer does not fit the output schema: ${what}.` };
}
