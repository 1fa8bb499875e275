import { listImports, parseManifest, parseNameTable } from "./parse-tables.ts";
import type { Repository } from "./repository.ts";

/** Those on the level of the apps. */
const programPackages: readonly string[] = ["program", "front-end", "line-server"];

/** Each package depends on what the table of docs/architecture.md says, and each is in the table. */
export function checkLayers(repository: Repository): readonly string[] {
  const layers = parseNameTable(repository.read("tooling/layers.json"));
  return repository.list("{packages,apps}/*/package.json").flatMap((file) => {
    const unit = file.slice(0, -"/package.json".length);
    const allowed = layers[unit];
    if (allowed === undefined)
      return [`${unit}: not in tooling/layers.json: give it a layer in docs/architecture.md first`];
    // `*` is every package, but no app and nothing of programs
    const mayUse = (name: string): boolean =>
      allowed.includes(name) ||
      (allowed.includes("*") && !programPackages.includes(name) && repository.has(`packages/${name}`));
    return listImports(parseManifest(repository.read(file)))
      .filter((name) => !mayUse(name))
      .map((name) => `${file}: may not depend on @unroll/${name}: the layers of docs/architecture.md do not allow it`);
  });
}
