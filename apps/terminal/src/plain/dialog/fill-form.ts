import { describeField, describeForm, readFieldValue, toFieldPrefill } from "@unroll/cells";
import { refusalOf, type FormAnswer, type FormField, type FormQuestion, type FormValue } from "@unroll/protocol";
import type { Terminal } from "../terminal.ts";
import { showAsked } from "./show-asked.ts";

/** Shows the form of an MCP server, field by field. Leaving it cancels; a plain no declines. */
export async function fillForm(terminal: Terminal, form: FormQuestion, signal: AbortSignal): Promise<FormAnswer> {
  if (!(await showAsked(terminal, describeForm(form), signal))) return refusalOf(form);
  const isWanted = await askWhether(terminal, signal);
  if (isWanted === null) return refusalOf(form);
  if (!isWanted) return { type: "declined" };
  const values: Record<string, FormValue> = {};
  for (const field of form.fields) {
    const value = await askField(terminal, field, signal);
    if (value === "left") return refusalOf(form);
    if (value !== null) values[field.name] = value.value;
  }
  return { type: "accepted", values };
}

/** Asks until it is a yes or a no; null: the person left. */
async function askWhether(terminal: Terminal, signal: AbortSignal): Promise<boolean | null> {
  for (;;) {
    const text = await terminal.askFresh("  Answer it? [y/n] ", { signal });
    signal.throwIfAborted();
    if (text === null) return null;
    const answer = { y: true, yes: true, n: false, no: false }[text.trim().toLowerCase()] ?? null;
    if (answer !== null) return answer;
  }
}

type FieldAnswer = { readonly value: FormValue } | "left" | null;

/** Asks until the answer fits. Null: left empty, which an optional field may be. */
async function askField(terminal: Terminal, field: FormField, signal: AbortSignal): Promise<FieldAnswer> {
  for (;;) {
    if (!(await showAsked(terminal, describeField(field), signal))) return "left";
    const text = await terminal.askFresh("  > ", { signal, prefill: toFieldPrefill(field) });
    signal.throwIfAborted();
    if (text === null) return "left";
    if (text.trim() === "" && !field.isRequired) return null;
    const read = readFieldValue(text, field);
    if (read.type === "value") return read;
    terminal.say(`  ${read.message} ^C leaves the form.`);
  }
}
