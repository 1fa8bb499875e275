import type { UserInputPart } from "@unroll/protocol";
import { HarnessError } from "../harness-error.ts";
import { checkKeys } from "./check-options.ts";

const members: Readonly<Record<UserInputPart["type"], string>> = { text: "text", image: "dataUrl" };

/** Of `RunOptions` and `OutputOptions`. */
const known = { signal: true, output: true, outputSchema: true, schemaRepairs: true } as const;

/**
 * Whether it is what a person can say, of a caller whose compiler did not look. Throws `HarnessError` `invalid_options` with one
 * sentence that names the call, the place and what is expected.
 */
export function checkInput(call: string, input: unknown): void {
  if (typeof input === "string") {
    if (input.trim() === "") throw invalid(`${call}: the text is empty: say something, or run([]) to go on as it is.`);
    return;
  }
  if (!Array.isArray(input)) throw invalid(`${call}: the input has to be text, or a list of parts.`);
}

/** As `checkInput`, of the parts. */
export function checkParts(call: string, input: unknown): void {
  if (!Array.isArray(input)) return;
  const wrong = input.findIndex((part: unknown) => !isPart(part));
  if (wrong === -1) return;
  throw invalid(`${call}: input[${wrong}] has to be { type: "text", text } or { type: "image", dataUrl }.`);
}

/** As `checkInput`, of what a turn is run with. */
export function checkRun(call: string, options: object): void {
  checkKeys({ call }, options, known);
  checkOutput(call, Reflect.get(options, "output"));
  const signal: unknown = Reflect.get(options, "signal");
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw invalid(`${call}: signal has to be an AbortSignal: that of an AbortController is its signal.`);
}

/** Of a library's schema `toOutputSchema` looks closer. */
function checkOutput(call: string, output: unknown): void {
  if (output === undefined || "~standard" in Object(output) || "_def" in Object(output)) return;
  throw invalid(`${call}: output takes a schema of zod 4, as z.object({ … }); a JSON Schema goes into outputSchema.`);
}

function isPart(part: unknown): boolean {
  const type: unknown = Reflect.get(Object(part), "type");
  const member = Object.entries(members).find(([name]) => name === type)?.[1];
  return member !== undefined && typeof Reflect.get(Object(part), member) === "string";
}

function invalid(message: string): HarnessError {
  return new HarnessError("invalid_options", message);
}
