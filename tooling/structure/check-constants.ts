import { Visitor } from "oxc-parser";
import { isExcused } from "./is-excused.ts";
import type { SourceFile } from "./parse-source.ts";
import type { Repository } from "./repository.ts";

/** Constants are camelCase, as every other value, wherever they stand. */
export function checkConstants(repository: Repository): readonly string[] {
  return repository
    .list(
      "{packages,apps}/*/{src,test,bench}/**/*.{ts,mjs}",
      "{bench,simulation,examples,tooling,conformance}/**/*.{ts,mjs}",
    )
    .flatMap((file) => checkFile(repository.source(file)));
}

function checkFile(source: SourceFile): readonly string[] {
  const found: { readonly name: string; readonly line: number }[] = [];
  new Visitor({
    VariableDeclarator({ id, start }) {
      if (id.type === "Identifier" && /^[A-Z]/.test(id.name)) found.push({ name: id.name, line: source.lineOf(start) });
    },
  }).visit(source.program);
  return found
    .filter(({ line }) => !isExcused(source, line, "constants"))
    .map(({ name, line }) => `${source.file}:${line}: the constant ${name} is written in camelCase`);
}
