import type { Repository } from "./repository.ts";

export function checkReadmes(repository: Repository): readonly string[] {
  return repository
    .list("{packages,apps}/*/package.json")
    .map((file) => file.replace("package.json", "README.md"))
    .filter((file) => !repository.has(file))
    .map((file) => `${file}: missing: what is the package for, why is it apart?`);
}
