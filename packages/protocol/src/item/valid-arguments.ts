import { parseFields } from "../json-fields.ts";

/**
 * The key for the text of a call whose arguments are not a JSON object, usually because they were
 * cut off.
 */
const cutOff = "cut_off_arguments";

/**
 * Arguments that every server can read. Servers parse those of earlier calls, and refuse the whole conversation where that fails;
 * what the model wrote stays to be seen.
 */
export function toValidArguments(text: string): string {
  if (text.trim() === "") return "{}";
  return parseFields(text) !== null ? text : JSON.stringify({ [cutOff]: text });
}
