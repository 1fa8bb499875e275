import { type Argument, Visitor } from "oxc-parser";
import { isExcused } from "./is-excused.ts";
import type { SourceFile } from "./parse-source.ts";
import type { Repository } from "./repository.ts";

/** Where texts for the model are written. */
const writers = ["core", "prompt", "tools", "compaction", "rollout"].map((name) => `packages/${name}/src/**/*.ts`);
/** The one reader: of threads that older versions and other programs kept. */
const reader = "packages/rollout/src/foreign/";
const searches: ReadonlySet<string> = new Set([
  "startsWith",
  "endsWith",
  "includes",
  "indexOf",
  "match",
  "search",
  "split",
]);
/** The demo and the scripts that stand in for a model read what a model reads. */
const model = "packages/scripted-model/";
/** A shorter text could be anybody's; of a longer one no more is looked for. In characters. */
const [fewest, most] = [11, 16];

/** Only the model reads its texts: a program that needs a fact takes it from where it was made. */
export function checkOwnSentences(repository: Repository): readonly string[] {
  const openings = new Set(repository.list(...writers).flatMap((file) => listOpenings(repository.source(file))));
  return repository
    .list("{packages,apps}/*/src/**/*.ts")
    .filter((file) => !file.startsWith(reader) && !file.startsWith(model))
    .flatMap((file) => findPatterns(repository.source(file), openings));
}

/** How the sentences begin that a file writes: texts of several words, and our tags. */
function listOpenings(source: SourceFile): readonly string[] {
  const found: string[] = [];
  const add = (text: string): void => {
    if (/^(?:<[a-z_]+>|[A-Za-z][\w']+[ :])/.test(text) && text.length >= fewest) found.push(text.slice(0, most));
  };
  new Visitor({
    Literal: ({ value }) => void (typeof value === "string" && add(value)),
    TemplateLiteral: ({ quasis }) => add(quasis[0]?.value.cooked ?? ""),
  }).visit(source.program);
  return found;
}

function findPatterns(source: SourceFile, openings: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  const check = (pattern: string, offset: number): void => {
    const line = source.lineOf(offset);
    const opening = [...openings].find((each) => pattern.includes(each));
    if (opening === undefined || isExcused(source, line, "own-sentences")) return;
    found.push(
      `${source.file}:${line}: looks for "${opening}…", which is a text for the model: take the fact from where it is made`,
    );
  };
  const checkArgument = (argument: Argument | undefined): void => {
    if (argument?.type === "Literal" && typeof argument.value === "string") check(argument.value, argument.start);
  };
  new Visitor({
    Literal(literal) {
      if ("regex" in literal) check(literal.regex.pattern.replaceAll(/\\([^\w])/g, "$1"), literal.start);
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      if (searches.has(callee.property.name)) checkArgument(first);
    },
  }).visit(source.program);
  return found;
}
