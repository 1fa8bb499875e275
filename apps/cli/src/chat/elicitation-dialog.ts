import type { ElicitationPort, McpElicitation, McpElicitationField, McpElicitationValue } from "@unroll/mcp";
import { toPlainText } from "@unroll/text";
import { readChoice } from "./read-choice.ts";
import type { Terminal } from "./terminal.ts";

/** Shows the form of an MCP server, field by field. Leaving it cancels; a plain no declines. */
export function createElicitationDialog(terminal: Terminal): ElicitationPort {
  return async (request, signal) => {
    terminal.say(renderRequest(request));
    const start = (await terminal.ask("  Answer it? [y/n] ", { signal }))?.trim().toLowerCase() ?? null;
    if (start === null) return { type: "cancelled" };
    if (start !== "y") return { type: "declined" };
    const values: Record<string, McpElicitationValue> = {};
    for (const field of request.fields) {
      const value = await askField(terminal, field, signal);
      if (value === "left") return { type: "cancelled" };
      if (value !== null) values[field.name] = value.value;
    }
    return { type: "accepted", values };
  };
}

function renderRequest({ server, message, fields }: McpElicitation): string {
  return toPlainText(`\n? The MCP server ${server} asks (${fields.length} fields): ${message}`);
}

type FieldAnswer = { readonly value: McpElicitationValue } | "left" | null;

/** Asks until the answer fits. Null: left empty, which an optional field may be. */
async function askField(terminal: Terminal, field: McpElicitationField, signal: AbortSignal): Promise<FieldAnswer> {
  for (;;) {
    terminal.say(renderField(field));
    const prefill = field.defaultValue === null ? "" : String(field.defaultValue);
    const text = await terminal.ask("  > ", { signal, prefill });
    if (text === null) return "left";
    if (text.trim() === "" && !field.isRequired) return null;
    const value = readValue(text.trim(), field);
    if (value !== null) return { value };
    terminal.say("  That does not fit. ^C leaves the form.");
  }
}

function renderField({ title, description, isRequired, input }: McpElicitationField): string {
  const head = `  ${title}${isRequired ? " (required)" : ""}${description === "" ? "" : `: ${description}`}`;
  switch (input.type) {
    case "choice": {
      const how = input.isMultiple ? "  numbers, with commas between" : "  a number";
      return toPlainText(
        [head, ...input.options.map(({ title: each }, at) => `    ${at + 1}. ${each}`), how].join("\n"),
      );
    }
    case "boolean":
      return toPlainText(`${head}\n  y or n`);
    case "number":
      return toPlainText(`${head}\n  ${input.isInteger ? "a whole number" : "a number"}`);
    case "text":
      return toPlainText(input.format === null ? head : `${head}\n  ${input.format}`);
  }
}

function readValue(text: string, { input }: McpElicitationField): McpElicitationValue | null {
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
      const chosen = text.split(",").map((each) => readChoice(each, input.options)?.value);
      if (!chosen.every((value) => value !== undefined) || (!input.isMultiple && chosen.length !== 1)) return null;
      return input.isMultiple ? chosen : (chosen[0] ?? null);
    }
  }
}
