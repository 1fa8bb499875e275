import { type Comment, Visitor } from "oxc-parser";
import { countLines, type SourceFile } from "../parse-source.ts";
import type { Repository } from "../repository.ts";
import type { ProseKind } from "./parse-words.ts";
import { findUserTexts } from "./user-texts.ts";

/** One sentence that people read. */
export interface Sentence {
  readonly kind: ProseKind;
  readonly file: string;
  /** Where it begins, from 1. */
  readonly line: number;
  /** On one line; without the marks of a list, a heading or a quotation. */
  readonly text: string;
}

/** A piece of prose, before it is cut into sentences. Its lines are as in the file, marks included. */
interface Passage {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** In the order in which they are printed. */
export const proseKinds = ["page", "comment", "test", "text"] as const;

const pages = [
  "*.md",
  "docs/**/*.md",
  "{packages,apps}/*/README.md",
  "{bench,conformance,examples,simulation}/**/*.md",
];
const sources = [
  "{packages,apps}/*/{src,test}/**/*.ts",
  "{bench,examples,simulation,conformance,tooling}/**/*.{ts,mjs}",
];
/** Goldens hold texts for the model or the output of checks. */
const goldens = /^conformance\/(?!README\.md$)(?:[^/]+\/)+[^/]+\.md$/;

/** Every file with prose for people. */
export function listProse(repository: Repository): readonly string[] {
  return repository.list(...pages, ...sources).filter((file) => !goldens.test(file));
}

export function findSentences(repository: Repository, files: readonly string[]): readonly Sentence[] {
  const [markdown, code] = [
    files.filter((file) => file.endsWith(".md")),
    files.filter((file) => !file.endsWith(".md")),
  ];
  const tests = code.filter((file) => file.endsWith(".test.ts"));
  const passages: Readonly<Record<ProseKind, readonly Passage[]>> = {
    page: markdown.flatMap((file) => listParagraphs(file, takeWritten(repository.read(file)))),
    comment: code.flatMap((file) => listComments(repository.source(file))),
    test: tests.flatMap((file) => listTestNames(repository.source(file))),
    text: findUserTexts(repository, code),
  };
  return proseKinds.flatMap((kind) => passages[kind].flatMap((passage) => splitPassage(kind, passage)));
}

/** Without the reference of `docs/cli.md`: a copy of `--help`, whose texts are checked in the sources. */
function takeWritten(page: string): string {
  return page.split("<!-- reference:")[0] ?? "";
}

/** Paragraphs, list items, headings and table cells; no code. */
function listParagraphs(file: string, page: string): readonly Passage[] {
  const found: { file: string; line: number; text: string }[] = [];
  let fence: string | null = null;
  let isOpen = false;
  for (const [at, line] of page.split("\n").entries()) {
    const mark = /^\s*(?:>\s*)*(```+|~~~+)/.exec(line)?.[1] ?? null;
    if (mark !== null && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null;
      isOpen = false;
      continue;
    }
    if (fence !== null) continue;
    const cells = line.trimStart().startsWith("|") ? splitRow(line) : null;
    if (cells !== null) found.push(...cells.map((text) => ({ file, line: at + 1, text })));
    const last = found.at(-1);
    const [isBlank, begins] = [/^[\s>]*$/.test(line), /^\s*(?:>\s*)*(?:[-*+] |\d+\. |#+ )/.test(line)];
    if (cells === null && !isBlank) {
      if (isOpen && !begins && last !== undefined) last.text += `\n${line}`;
      else found.push({ file, line: at + 1, text: line });
    }
    isOpen = cells === null && !isBlank && !line.startsWith("#");
  }
  return found;
}

function splitRow(line: string): readonly string[] {
  return line
    .replaceAll(/`[^`]*`/g, (code) => code.replaceAll("|", "/"))
    .split(/(?<!\\)\|/)
    .filter((cell) => /[A-Za-z]/.test(cell));
}

/** Comments; lines that follow each other are one. */
function listComments(source: SourceFile): readonly Passage[] {
  const { file, text, comments } = source;
  const found: { file: string; line: number; text: string; end: number }[] = [];
  const isNext = ({ type, start }: Comment, end: number): boolean =>
    type === "Line" && /^[^\S\n]*\n[^\S\n]*$/.test(text.slice(end, start));
  for (const comment of comments) {
    const last = found.at(-1);
    if (last !== undefined && isNext(comment, last.end)) {
      last.text += `\n${comment.value}`;
      last.end = comment.end;
    } else found.push({ file, line: source.lineOf(comment.start), text: comment.value, end: comment.end });
  }
  return found;
}

function listTestNames(source: SourceFile): readonly Passage[] {
  const found: Passage[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [name] }) {
      if (name === undefined || !/^(?:test|it|describe)\b/.test(source.text.slice(callee.start, callee.end))) return;
      if (name.type !== "Literal" && name.type !== "TemplateLiteral") return;
      const text = source.text.slice(name.start + 1, name.end - 1);
      found.push({ file: source.file, line: source.lineOf(name.start), text });
    },
  }).visit(source.program);
  return found;
}

function splitPassage(kind: ProseKind, { file, line, text }: Passage): readonly Sentence[] {
  const lineOf = countLines(text);
  return [...text.matchAll(/\S[^]*?(?:[.!?]["'”)*_`]*(?=\s+["'“(*_`[<$A-Z])|$(?![^]))/g)].map(
    ({ 0: found, index }) => ({
      kind,
      file,
      line: line + lineOf(index) - 1,
      text: unmark(found),
    }),
  );
}

function unmark(text: string): string {
  return text
    .replaceAll(/^[^\S\n]*(?:(?:>|\*|#+|[-+]|\d+\.)(?: |$))+/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
