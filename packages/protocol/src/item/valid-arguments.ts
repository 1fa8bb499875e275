import { parseFields } from "../json-fields.ts";

/** Under this the text of a call is sent whose arguments are no JSON object: it was cut off, mostly. */
const cutOff = "cut_off_arguments";

/**
 * Arguments that every server can read. Servers parse those of earlier calls, and refuse the whole conversation where that fails;
 * what the model wrote stays to be seen.
 */
export function toValidArguments(text: string): string {
  if (text.trim() === "") return "{}";
  return parseFields(text) !== null ? text : JSON.stringify({ [cutOff]: text });
}
