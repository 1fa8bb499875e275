import { dirname } from "node:path";
import type { Repository } from "./repository.ts";

/** Every package has a README, and a line in the table of the repository's. */
export function checkReadmes(repository: Repository): readonly string[] {
  const table = repository.has("README.md") ? repository.read("README.md") : null;
  return repository.list("{packages,apps}/*/package.json").flatMap((file) => {
    const folder = dirname(file);
    return [
      ...(repository.has(`${folder}/README.md`)
        ? []
        : [`${folder}/README.md: missing: what is the package for, why is it apart?`]),
      ...(table === null || table.includes(`](${folder}) |`)
        ? []
        : [`README.md: its table of packages lacks ${folder}`]),
    ];
  });
}
