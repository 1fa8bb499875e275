import { checkShape } from "@unroll/text";

const shape = {
  "context.cwd": "text",
  "context.codexHome": "text",
  "context.homeDirectory": "text",
  "context.skillPolicy": "an object",
  "files.read": "a function",
  "files.list": "a function",
} as const;

/** Where the prompt's files are looked for, and by what, of a caller whose compiler did not look. Throws a `TypeError` of one sentence. */
export function checkContext(call: string, context: unknown, files: unknown): void {
  checkShape(call, { context, files }, shape);
}
