import { measureText, type Role, type Span, type StyledLine, truncateText } from "@unroll/screen";
import { formatTokens, toShownText } from "@unroll/text";
import { emptyLine, toSpan } from "../line/plain-line.ts";

/** The contents of the prompt, in tokens. */
export interface ContextFacts {
  /** The model's context window; null: unknown. */
  readonly window: number | null;
  readonly groups: readonly ContextGroup[];
}

/** Parts of one kind: fragments, tools, items of the thread. */
export interface ContextGroup {
  readonly name: string;
  readonly parts: readonly ContextPart[];
}

/** A part of the prompt. */
export interface ContextPart {
  readonly name: string;
  readonly tokens: number;
}

/** How many parts of a group are listed. The rest is added up. */
const namedParts = 12;

/** The body of `/context`: each group with its largest parts, and how much of the window is left. */
export function renderContext({ window, groups }: ContextFacts, columns: number): readonly StyledLine[] {
  const total = groups.reduce((sum, group) => sum + sumOf(group.parts), 0);
  const of = window === null ? total : window;
  const head: StyledLine = {
    spans: [
      toSpan(
        window === null
          ? `${formatTokens(total)} tokens in the prompt`
          : `${formatTokens(total)} of ${formatTokens(window)} tokens (${share(total, window)})`,
        ["strong"],
      ),
    ],
    wrap: "words",
  };
  const left =
    window === null
      ? []
      : [toRow({ name: "free", tokens: Math.max(0, window - total), role: "muted", indent: "" }, of, columns)];
  return [
    head,
    ...groups.flatMap((group) => [emptyLine, ...renderGroup(group, of, columns)]),
    ...(left.length === 0 ? [] : [emptyLine, ...left]),
  ];
}

function renderGroup({ name, parts }: ContextGroup, of: number, columns: number): readonly StyledLine[] {
  const sorted = parts.toSorted((a, b) => b.tokens - a.tokens);
  const named = sorted.length <= namedParts + 1 ? sorted : sorted.slice(0, namedParts);
  const rest = sorted.slice(named.length);
  const more = rest.length === 0 ? [] : [{ name: `${rest.length} more`, tokens: sumOf(rest) }];
  return [
    toRow({ name, tokens: sumOf(parts), role: "strong", indent: "" }, of, columns),
    ...[...named, ...more].map((part) => toRow({ ...part, role: null, indent: "  " }, of, columns)),
  ];
}

interface ContextRow extends ContextPart {
  readonly role: Role | null;
  readonly indent: string;
}

function toRow({ name, tokens, role, indent }: ContextRow, of: number, columns: number): StyledLine {
  const figures = `${formatTokens(tokens).padStart(7)} ${share(tokens, of).padStart(5)}`;
  const room = Math.max(8, Math.min(columns, 76) - figures.length - 2);
  const shown = truncateText(`${indent}${toShownText(name).replaceAll(/[\n\t]+/g, " ")}`, room, "middle");
  const spans: readonly Span[] = [
    toSpan(shown, role === null ? [] : [role]),
    toSpan(" ".repeat(Math.max(1, room - measureText(shown) + 1))),
    toSpan(figures, role === "strong" ? ["strong"] : ["muted"]),
  ];
  return { spans, wrap: "verbatim" };
}

function sumOf(parts: readonly ContextPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

function share(part: number, whole: number): string {
  if (whole <= 0) return "";
  const percent = (100 * part) / whole;
  return percent > 0 && percent < 1 ? "<1%" : `${Math.round(percent)}%`;
}
