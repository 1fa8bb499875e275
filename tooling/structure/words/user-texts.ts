import { type Expression, Visitor } from "oxc-parser";
import type { SourceFile } from "../parse-source.ts";
import type { Repository } from "../repository.ts";
import { parsePatterns } from "./parse-words.ts";

/** One text of the source that users read: a message, a label, a line of `--help`. */
interface UserText {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Pieces that are joined with `+` are one text; a value that is filled in is `${its expression}`, or `${…}` if that is long. */
  readonly text: string;
}

const sources = "{packages,apps}/*/src/**/*.ts";
/** The files and folders with texts for the model. A text that both the model and people read counts as the model's. */
const modelTexts = "tooling/structure/words/model-texts.json";

/** All texts for users, or those of the given files, in the order of the source. */
export function findUserTexts(repository: Repository, files = repository.list(sources)): readonly UserText[] {
  const isForModel = openModelTexts(repository);
  return files
    .filter((file) => isSource(file) && !isForModel(file))
    .flatMap((file) => listTexts(repository.source(file)));
}

function isSource(file: string): boolean {
  return /^(?:packages|apps)\/[^/]+\/src\/.*\.ts$/.test(file);
}

function openModelTexts(repository: Repository): (file: string) => boolean {
  const patterns = repository.has(modelTexts) ? parsePatterns(repository.read(modelTexts)) : [];
  return (file) => patterns.some((pattern) => (pattern.endsWith("/") ? file.startsWith(pattern) : file === pattern));
}

function listTexts(source: SourceFile): readonly UserText[] {
  const found: UserText[] = [];
  const seen = new Set<number>();
  const add = (expression: Expression): void => {
    if (seen.has(expression.start)) return;
    const text = readText(expression, source, seen);
    if (text !== null && isProse(text)) found.push({ file: source.file, line: source.lineOf(expression.start), text });
  };
  new Visitor({
    BinaryExpression: (expression) => void (expression.operator === "+" && add(expression)),
    TemplateLiteral: add,
    Literal: add,
    TSLiteralType: ({ literal }) => void seen.add(literal.start),
    ImportDeclaration: (declared) => void seen.add(declared.source.start),
    TaggedTemplateExpression: ({ quasi }) => void seen.add(quasi.start),
  }).visit(source.program);
  return found;
}

/** Null for anything but text: a number, a sum, a pattern. */
function readText(expression: Expression, source: SourceFile, seen: Set<number>): string | null {
  if (expression.type === "Literal" && typeof expression.value === "string") {
    seen.add(expression.start);
    return expression.value;
  }
  if (expression.type === "TemplateLiteral") {
    seen.add(expression.start);
    const filled = expression.expressions.map((value) => showFilled(value, source));
    return expression.quasis.map(({ value }, at) => (value.cooked ?? value.raw) + (filled[at] ?? "")).join("");
  }
  if (expression.type !== "BinaryExpression" || expression.operator !== "+") return null;
  const parts = [expression.left, expression.right].map(
    (side) => readText(side, source, seen) ?? showFilled(side, source),
  );
  return parts.join("");
}

/** An expression that holds texts of its own is not shown: they are listed separately. */
function showFilled({ start, end }: Expression, source: SourceFile): string {
  const expression = source.text.slice(start, end);
  return /^[\w.()[\]? ]{1,40}$/.test(expression) ? `\${${expression}}` : "${…}";
}

/** Two words in a row, of which one has three letters; not a program, a header line or markup. */
function isProse(text: string): boolean {
  const plain = text.replaceAll(/\$\{[^}]*\}/g, "Filled").replaceAll(/`[^`]*`/g, "Code");
  if (/[{};]\s*\n|<\/?[a-z]+[ >]|^[-.#@]?[\w-]+ ?\{|=>|^\w+=/.test(plain)) return false;
  return /(?<![\w/.-])(?:[A-Za-z]{3,}[,:.]? \(?[A-Za-z']+|[A-Za-z']+,? [A-Za-z]{3,})(?![\w/(=-])/.test(plain);
}
