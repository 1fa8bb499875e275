import { dirname, join } from "node:path";
import type { Repository } from "./repository.ts";

/** Every function, class and constant that a package exports says what it is, and so does every type of the SDK. */
export function checkDocstrings(repository: Repository): readonly string[] {
  return repository.list("packages/*/src/{index,node,openai}.ts").flatMap((index) =>
    [...repository.read(index).matchAll(/export (?:type )?\{([^}]*)\} from "(\.[^"]*)"/g)].flatMap(
      ([, names = "", from = ""]) => {
        const file = join(dirname(index), from);
        return names.split(",").flatMap((name) => findFault(repository, file, name.trim()) ?? []);
      },
    ),
  );
}

function findFault(repository: Repository, file: string, name: string): string | null {
  const lines = repository.read(file).split("\n");
  const at = lines.findIndex((line) => declaration.exec(line)?.[2] === name);
  const kind = declaration.exec(lines[at] ?? "")?.[1] ?? "";
  const isType = kind === "interface" || kind === "type";
  if (at === -1 || (isType && !file.startsWith("packages/harness/"))) return null;
  const before = lines.slice(0, at).findLast((line) => !line.trim().startsWith("//"));
  return before?.trim().endsWith("*/") === true
    ? null
    : `${file}: ${name} has no docstring: what is it, what does it take and give?`;
}

const declaration = /^export (?:async )?(interface|type|class|const|function)\*? (\w+)/;
