import { isExcused } from "./is-excused.ts";
import type { SourceFile } from "./parse-source.ts";
import type { Repository } from "./repository.ts";

/** Constants of a module are camelCase, as every other value. */
export function checkConstants(repository: Repository): readonly string[] {
  return repository
    .list("{packages,apps}/*/{src,test,bench}/**/*.{ts,mjs}", "{bench,tooling,conformance}/**/*.{ts,mjs}")
    .flatMap((file) => checkFile(repository.source(file)));
}

function checkFile(source: SourceFile): readonly string[] {
  return source.program.body
    .map((statement) => (statement.type === "ExportNamedDeclaration" ? statement.declaration : statement))
    .flatMap((statement) => (statement?.type === "VariableDeclaration" ? statement.declarations : []))
    .flatMap(({ id, start }) =>
      id.type === "Identifier" && /^[A-Z]/.test(id.name) ? [{ name: id.name, line: source.lineOf(start) }] : [],
    )
    .filter(({ line }) => !isExcused(source, line, "constants"))
    .map(({ name, line }) => `${source.file}:${line}: the constant ${name} is written in camelCase`);
}
