/** A row of the table of measurements in bench/README.md. */
export interface MeasuredRow {
  readonly label: string;
  readonly value: number;
  readonly unit: string;
  /** Null: it has none. */
  readonly bound: MeasuredBound | null;
}

interface MeasuredBound {
  /** The measured number that was compared with the bound: a ratio or the value. */
  readonly measured: string;
  /** As the table says it, without the verdict. */
  readonly text: string;
  /** How much of what is allowed was used: 1 is the bound itself, and more is too much. */
  readonly share: number;
  /** As the table says it, which knows more digits. */
  readonly isMissed: boolean;
}

export interface Measured {
  /** When it was measured, and with what. */
  readonly circumstances: string;
  readonly rows: readonly MeasuredRow[];
}

/** The table below `## How fast`, with date and versions from the words above it. Throws on a table of another form. */
export function parseMeasured(readme: string): Measured {
  const section = readme.split(/^## /m).find((text) => text.startsWith("How fast\n"));
  if (section === undefined) throw new Error("The page has no section `## How fast`.");
  const lines = section.split("\n");
  const rows = lines.filter((line) => line.startsWith("| ") && !line.startsWith("| what ")).map(parseRow);
  const words = lines.filter((line) => !line.startsWith("|")).join(" ");
  const named = [/\d{4}-\d\d-\d\d/, /two (?:quiet )?cores/, /Node [\d.]+\d/, /codex-cli [\d.]+\d/, /pi [\d.]+\d/];
  const facts = named.map((pattern) => pattern.exec(words)?.[0] ?? fail(`nothing like ${pattern.source}`));
  return { circumstances: facts.join(" · "), rows };
}

interface MeasuredCells {
  readonly line: string;
  readonly value: number;
  /** As text: the value with its unit, and its ratio. */
  readonly measured: string;
  readonly ratio: string;
}

function parseRow(line: string): MeasuredRow {
  const [, label = "", measured = "", ratio = "", bound = ""] = line.split("|").map((cell) => cell.trim());
  const [, amount, unit] = /^([\d.,]+) (.+)$/.exec(measured) ?? fail(`no value in ${line}`);
  const value = toNumber(amount);
  return {
    label,
    value,
    unit: unit ?? "",
    bound: bound === "" ? null : parseBound(bound, { value, measured, ratio, line }),
  };
}

function parseBound(cell: string, { value, measured, ratio, line }: MeasuredCells): MeasuredBound {
  const [text = "", verdict = ""] = cell.split(": ");
  const [, direction, amount, times] = /^([<>]=) ([\d.,]+)(x?)/.exec(text) ?? fail(`no bound in ${line}`);
  const isOfRatio = times === "x";
  const is = isOfRatio ? toNumber(ratio.replace("x", "")) : value;
  const limit = toNumber(amount);
  return {
    measured: isOfRatio ? ratio : measured,
    text,
    share: direction === "<=" ? is / limit : limit / is,
    isMissed: verdict.startsWith("missed"),
  };
}

function toNumber(text: string | undefined): number {
  const number = Number(text?.replaceAll(",", ""));
  return Number.isFinite(number) && text !== "" ? number : fail(`${text} is no number`);
}

function fail(what: string): never {
  throw new Error(`The table of measurements cannot be read: ${what}.`);
}
