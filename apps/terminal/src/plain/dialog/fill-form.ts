import type { FormAnswer, FormField, FormQuestion, FormValue } from "@unroll/protocol";
import type { Terminal } from "../terminal.ts";
import type { AskedPart } from "./lay-out.ts";
import { readChoice } from "./read-choice.ts";
import { showAsked } from "./show-asked.ts";

/** Shows the form of an MCP server, field by field. Leaving it cancels; a plain no declines. */
export async function fillForm(terminal: Terminal, form: FormQuestion, signal: AbortSignal): Promise<FormAnswer> {
  const { server, message, fields } = form;
  const parts = [
    { label: "server", text: server },
    { label: "it says", text: message },
    ...(fields.length === 0 ? [] : [{ label: "fields", text: fields.map(({ title }) => title).join("\n") }]),
  ];
  const title = `An MCP server asks (${fields.length} ${fields.length === 1 ? "field" : "fields"}):`;
  if (!(await showAsked(terminal, { title, parts }, signal))) return { type: "cancelled" };
  const isWanted = await askWhether(terminal, signal);
  if (isWanted === null) return { type: "cancelled" };
  if (!isWanted) return { type: "declined" };
  const values: Record<string, FormValue> = {};
  for (const field of fields) {
    const value = await askField(terminal, field, signal);
    if (value === "left") return { type: "cancelled" };
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
  const title = field.isRequired ? "A field (required):" : "A field:";
  for (;;) {
    if (!(await showAsked(terminal, { title, parts: toParts(field) }, signal))) return "left";
    const text = await terminal.askFresh("  > ", { signal, prefill: toPrefill(field) });
    signal.throwIfAborted();
    if (text === null) return "left";
    if (text.trim() === "" && !field.isRequired) return null;
    const value = readValue(text.trim(), field);
    if (value !== null) return { value };
    terminal.say("  That does not fit. ^C leaves the form.");
  }
}

function toParts({ title, description, input }: FormField): readonly AskedPart[] {
  const head = [{ label: "field", text: title }, ...(description === "" ? [] : [{ label: "", text: description }])];
  switch (input.type) {
    case "choice":
      return [
        ...head,
        ...input.options.map((option, at) => ({ label: `${at + 1}.`, text: option.title })),
        { label: "answer", text: input.isMultiple ? "numbers, with commas between" : "a number" },
      ];
    case "boolean":
      return [...head, { label: "answer", text: "y or n" }];
    case "number":
      return [...head, { label: "answer", text: input.isInteger ? "a whole number" : "a number" }];
    case "text":
      return input.format === null ? head : [...head, { label: "answer", text: input.format }];
  }
}

/** The default as a person would type it. */
function toPrefill({ defaultValue, input }: FormField): string {
  if (defaultValue === null) return "";
  switch (input.type) {
    case "boolean":
      return defaultValue === true ? "y" : "n";
    case "choice": {
      const values = typeof defaultValue === "object" ? defaultValue : [String(defaultValue)];
      const numbers = values.map((value) => input.options.findIndex((option) => option.value === value) + 1);
      return numbers.includes(0) ? "" : numbers.join(",");
    }
    case "number":
    case "text":
      return String(defaultValue);
  }
}

function readValue(text: string, { input }: FormField): FormValue | null {
  switch (input.type) {
    case "text":
      return text.length >= input.minLength && text.length <= input.maxLength ? text : null;
    case "number": {
      const value = Number(text);
      const isWhole = Number.isInteger(value) || !input.isInteger;
      return text !== "" && isWhole && value >= input.minimum && value <= input.maximum ? value : null;
    }
    case "boolean":
      return { y: true, yes: true, true: true, n: false, no: false, false: false }[text.toLowerCase()] ?? null;
    case "choice": {
      const chosen = text.split(",").flatMap((each) => readChoice(each, input.options)?.value ?? []);
      if (chosen.length !== text.split(",").length || (!input.isMultiple && chosen.length !== 1)) return null;
      return input.isMultiple ? chosen : (chosen[0] ?? null);
    }
  }
}
