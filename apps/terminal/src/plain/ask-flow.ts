import type { LineTerminal } from "@unroll/program";
import type { ChoiceOption, DialogAnswer, StyledLine } from "@unroll/screen";
import { toRowText } from "@unroll/screen";
import type { DialogFlow } from "../dialog/dialog-flow.ts";
import { askList, findOption, type LineAnswer } from "./ask-list.ts";
import { toPlainRows } from "./plain-rows.ts";

/**
 * Asks a dialog line by line. Each choice is shown whole before an answer counts, page by page if it is long.
 * Leaving (^C, ^D, the end of the input) denies. If a line names no option, you are asked again; in a script it denies.
 */
export async function askFlow<Result>(
  terminal: LineTerminal,
  flow: DialogFlow<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const seen = new Set<StyledLine>();
  for (let current = flow; ;) {
    const answer = await askChoice({ terminal, seen, signal }, current);
    signal.throwIfAborted();
    let step = answer.type === "answered" ? current.next(answer.answer) : current.act?.(answer.act);
    while (step?.type === "awaited") step = await step.step;
    if (step?.type === "done") return step.result;
    current = step?.flow ?? current;
  }
}

interface Asking {
  readonly terminal: LineTerminal;
  /** Lines of this dialog that were shown already. */
  readonly seen: Set<StyledLine>;
  readonly signal: AbortSignal;
}

async function askChoice(
  asking: Asking,
  { choice, typed }: Pick<DialogFlow<unknown>, "choice" | "typed">,
): Promise<LineAnswer> {
  const { terminal, signal } = asking;
  const shown = await showHead(asking, choice);
  if (shown.type === "left") return { type: "answered", answer: null };
  if (shown.type === "refused")
    return { type: "answered", answer: { id: shown.option.id, text: await askText(asking, shown.option) } };
  if (choice.search !== null) return askList({ terminal, page: countRows(terminal) ?? mostRows, signal }, choice);
  return { type: "answered", answer: await askOptions(asking, { choice, typed }) };
}

async function askOptions(
  asking: Asking,
  { choice, typed }: Pick<DialogFlow<unknown>, "choice" | "typed">,
): Promise<DialogAnswer | null> {
  const { terminal, signal } = asking;
  const typedOption = choice.options.find(({ id }) => id === typed) ?? null;
  const options = choice.options.filter((option) => option !== typedOption);
  const question = showOptions(terminal, options, typedOption !== null);
  const { text: prefill = "", isSecret = false } = options.length > 0 ? {} : (typedOption?.field ?? {});
  for (;;) {
    const line = await terminal.askFresh(question, { signal, prefill, isSecret });
    if (line === null) return null;
    const option = findOption(options, line.trim());
    if (option !== null) return { id: option.id, text: await askText(asking, option) };
    if (typedOption !== null && (line.trim() !== "" || options.length === 0)) return { id: typedOption.id, text: line };
    if (typedOption !== null || !terminal.isTyped) return null;
  }
}

/** A longer page is not read. */
const mostRows = 40;
/** Beside the page, on the screen: title, count and the keys. */
const otherRows = 6;

/** `refused`: you answered before the end, by an option that allows nothing. */
type ShownHead = { readonly type: "whole" | "left" } | { readonly type: "refused"; readonly option: ChoiceOption };

/** Shows the head of the dialog, without lines that were shown already. An answer that allows something does not count before its end. */
async function showHead(
  { terminal, seen, signal }: Asking,
  { head: [title, ...head], options }: DialogFlow<unknown>["choice"],
): Promise<ShownHead> {
  const columns = terminal.size()?.columns ?? null;
  const lines = head.filter((line) => !seen.has(line));
  for (const line of lines) seen.add(line);
  const rows = lines.flatMap((line) => toPlainRows(line, columns));
  const page = countRows(terminal) ?? Infinity;
  const isAskedToAllow = options.some(({ isConsent }) => isConsent === true);
  const refusals = isAskedToAllow ? options.filter(({ isConsent }) => isConsent !== true) : [];
  terminal.say(`\n? ${toRowText(title?.spans ?? [])}`);
  for (let from = 0; from < rows.length; from += page) {
    const to = Math.min(from + page, rows.length);
    terminal.sayRows(rows.slice(from, to));
    if (to === rows.length) break;
    const [no] = refusals;
    const leave = no === undefined ? "" : `, ${no.key ?? no.label} for ${no.label}`;
    const line = await terminal.askFresh(
      `  lines ${from + 1}-${to} of ${rows.length}. Press Enter for more${leave}: `,
      {
        signal,
      },
    );
    if (line === null) return { type: "left" };
    const option = findOption(refusals, line.trim());
    if (option !== null) return { type: "refused", option };
  }
  return { type: "whole" };
}

/** How many rows are shown at once; null: there is no screen. */
function countRows(terminal: LineTerminal): number | null {
  const size = terminal.size();
  return size === null ? null : Math.max(3, Math.min(mostRows, size.rows - otherRows));
}

/**
 * Options with letters are part of the question, one per line if they are too many for one. Numbered options are listed above it, and so
 * are those of which each has a description. Returns the question.
 */
function showOptions(terminal: LineTerminal, options: readonly ChoiceOption[], takesText: boolean): string {
  if (options.length === 0) return "  > ";
  const isLettered = options.every(({ key }) => key !== null && /^[a-z]$/.test(key));
  if (isLettered && options.some(({ detail }) => detail === undefined)) {
    const labels = options.map(({ key, label }) => `[${key}] ${label}`);
    const line = `  ${labels.join(" ")}: `;
    return line.length < (terminal.size()?.columns ?? Infinity) ? line : `  ${labels.join("\n  ")}: `;
  }
  const digits = String(options.length).length;
  for (const [at, { key, label, detail }] of options.entries()) {
    const name = isLettered ? key : String(at + 1).padStart(digits);
    terminal.say(`  ${name}  ${label}${detail === undefined ? "" : `: ${detail}`}`);
  }
  const how = isLettered ? "Letter" : "Number";
  return takesText ? `  ${how}, or type an answer: ` : `  ${how} or name: `;
}

/** Null: the option takes none. */
async function askText({ terminal, signal }: Asking, { label, field }: ChoiceOption): Promise<string | null> {
  if (field === undefined) return null;
  const question = `  ${field.placeholder ?? label}: `;
  return (await terminal.ask(question, { signal, prefill: field.text, isSecret: field.isSecret === true })) ?? "";
}
