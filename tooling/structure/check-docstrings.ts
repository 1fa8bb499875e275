import { listEntries } from "./public-names.ts";
import type { Repository } from "./repository.ts";

/** Everything that a package exports says what it is: functions, classes, constants and types. */
export function checkDocstrings(repository: Repository): readonly string[] {
  const found = listEntries(repository)
    .filter(({ unit }) => unit.startsWith("packages/"))
    .flatMap(({ names }) =>
      names.flatMap(({ name, file }) => (file === null ? [] : (findFault(repository, file, name) ?? []))),
    );
  return [...new Set(found)];
}

function findFault(repository: Repository, file: string, name: string): string | null {
  const lines = repository.read(file).split("\n");
  const at = lines.findIndex((line) => declaration.exec(line)?.[1] === name);
  if (at === -1) return null;
  const before = lines.slice(0, at).findLast((line) => !line.trim().startsWith("//"));
  return before?.trim().endsWith("*/") === true
    ? null
    : `${file}: ${name} has no docstring: what is it, what does it take and give?`;
}

const declaration = /^export (?:async )?(?:interface|type|class|const|function)\*? (\w+)/;
