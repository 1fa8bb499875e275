import type { LineTerminal } from "@unroll/program";
import {
  type Choice,
  type ChoiceOption,
  createTable,
  type DialogAct,
  type DialogAnswer,
  findOptions,
  toRowText,
} from "@unroll/screen";
import { pluralize } from "@unroll/text";

/** Your answer, or an action of the dialog that you want. */
export type LineAnswer =
  | { readonly type: "answered"; readonly answer: DialogAnswer | null }
  | { readonly type: "acted"; readonly act: DialogAct };

interface Asking {
  readonly terminal: LineTerminal;
  /** How many options are shown at once. */
  readonly page: number;
  readonly signal: AbortSignal;
}

/** A list that you search: a line is the number or the name of an option, an action, or words that filter the options. */
export async function askList(asking: Asking, choice: Choice): Promise<LineAnswer> {
  const { terminal, page, signal } = asking;
  const left: LineAnswer = { type: "answered", answer: null };
  let shown: ShownList = { search: choice.search?.text ?? "", from: 0 };
  if (choice.notice !== null) terminal.say(`  ${choice.notice}`);
  for (let isChanged = true; ;) {
    const options = find(choice, shown.search);
    if (isChanged) sayOptions(asking, { choice, options, ...shown });
    const line = (await terminal.askFresh(toPrompt(choice), { signal }))?.trim() ?? null;
    if (line === null) return left;
    const read = readLine(line, { choice, options, ...shown }, page);
    isChanged = read.type === "shown";
    if (read.type === "answered" || read.type === "acted") return read;
    if (!terminal.isTyped) return left;
    if (read.type === "shown") shown = read;
    else terminal.say(`  ${read.message}`);
  }
}

interface ShownList {
  /** The words that filter it. */
  readonly search: string;
  /** The index of the first option that was shown last. */
  readonly from: number;
}

interface FoundList extends ShownList {
  readonly choice: Choice;
  readonly options: readonly ChoiceOption[];
}

function find(choice: Choice, search: string): readonly ChoiceOption[] {
  return findOptions({ options: choice.options, search: { text: search, caret: 0 } });
}

function sayOptions({ terminal, page }: Asking, { choice, options, search, from }: FoundList): void {
  const digits = String(options.length).length;
  const columns = terminal.size()?.columns ?? null;
  const table = options.some((option) => option.columns !== undefined)
    ? createTable(options, (columns ?? assumedColumns) - digits - margins)
    : null;
  const shown = options.slice(from, from + page);
  for (const [at, option] of shown.entries()) {
    const { label, detail } = option;
    const text =
      table === null ? `${label}${detail === undefined ? "" : `: ${detail}`}` : toRowText(table.render(option, false));
    terminal.say(`  ${String(from + at + 1).padStart(digits)}  ${text}`);
  }
  const rest = options.length - from - shown.length;
  if (rest > 0) terminal.say(`  … ${rest} more: press Enter, or type words to filter`);
  else if (search !== "")
    terminal.say(`  ${pluralize(options.length, "match", "matches")} for "${search}": press Enter for the whole list`);
  if (choice.actions.length > 0) terminal.say(`  ${toHint(choice)}`);
}

/** Cells of a row besides its number and text: two on each side of the number, one at the end, one for a `…` that takes two. */
const margins = 6;

/** The width of a table in a script. */
const assumedColumns = 80;

function toHint({ actions }: Choice): string {
  return actions.map(({ label, isOfOption }) => (isOfOption ? `${label} N` : label)).join(", ");
}

function toPrompt({ actions }: Choice): string {
  return actions.length > 0 ? "  Number, words or action: " : "  Number or name: ";
}

type ReadLine =
  | LineAnswer
  | ({ readonly type: "shown" } & ShownList)
  | { readonly type: "refused"; readonly message: string };

function readLine(line: string, list: FoundList, page: number): ReadLine {
  const { choice, options, search, from } = list;
  if (line === "") {
    const next = from + page;
    return next < options.length ? { type: "shown", search, from: next } : { type: "shown", search: "", from: 0 };
  }
  const option = findOption(options, line);
  if (option?.refusal !== undefined) return { type: "refused", message: option.refusal };
  if (option !== null) return { type: "answered", answer: { id: option.id, text: null } };
  const acted = readAction(line, list);
  if (acted !== null) return acted;
  if (find(choice, line).length > 0) return { type: "shown", search: line, from: 0 };
  return { type: "refused", message: `No match for "${line}".` };
}

/** Null: the line names no action. */
function readAction(line: string, { choice, options, search }: FoundList): ReadLine | null {
  const lower = line.toLowerCase();
  const action = choice.actions.find(({ label }) => lower === label || lower.startsWith(`${label} `));
  if (action === undefined) return null;
  const option = findOption(options, line.slice(action.label.length).trim());
  if (action.isOfOption && option === null)
    return { type: "refused", message: `Which one? Type ${action.label} and its number, such as: ${action.label} 1` };
  return { type: "acted", act: { id: action.id, option: option?.id ?? null, search } };
}

/** Finds an option by its key, number or name, or by the start of its name if only one matches; null: none. */
export function findOption(options: readonly ChoiceOption[], text: string): ChoiceOption | null {
  const wanted = text.toLowerCase();
  if (wanted === "") return null;
  const names = options.map(({ id, key, label }, at) =>
    [key ?? String(at + 1), id, label].map((name) => name.toLowerCase()),
  );
  const exact = names.findIndex((each) => each.includes(wanted));
  if (exact >= 0) return options[exact] ?? null;
  const isNumbered = options.every(({ key }) => key === null || /^\d$/.test(key));
  const matching = isNumbered ? options.filter(({ label }) => label.toLowerCase().startsWith(wanted)) : [];
  return matching.length === 1 ? (matching[0] ?? null) : null;
}
