import { listImports, parseManifest, parseReferences } from "./parse-tables.ts";
import type { Repository } from "./repository.ts";

/** Each `tsconfig.json` names the packages that its `package.json` depends on, or a build in parts takes them out of order. */
export function checkReferences(repository: Repository): readonly string[] {
  return repository.list("{packages,apps}/*/tsconfig.json").flatMap((file) => {
    const wanted = listImports(parseManifest(repository.read(file.replace("tsconfig.json", "package.json"))));
    const named = parseReferences(repository.read(file)).map((path) => path.split("/").at(-1) ?? path);
    const lacking = wanted.filter((name) => !named.includes(name));
    const idle = named.filter((name) => !wanted.includes(name));
    return [
      ...lacking.map((name) => `${file}: references lacks ${name}, which package.json names`),
      ...idle.map((name) => `${file}: references has ${name}, which package.json does not name`),
    ];
  });
}
