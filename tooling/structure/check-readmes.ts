import { dirname } from "node:path";
import type { Repository } from "./repository.ts";

const page = "docs/packages.md";

/** Every package has a README and one row in docs/packages.md, and each row there has a package. */
export function checkReadmes(repository: Repository): readonly string[] {
  const folders = repository.list("{packages,apps}/*/package.json").map((file) => dirname(file));
  const missing = folders
    .filter((folder) => !repository.has(`${folder}/README.md`))
    .map((folder) => `${folder}/README.md: missing: what is the package for, why is it apart?`);
  return repository.has(page) ? [...missing, ...compareRows(repository.read(page), folders)] : missing;
}

function compareRows(text: string, folders: readonly string[]): readonly string[] {
  const rows = [...text.matchAll(/^\| \[`[^`]+`\]\(\.\.\/([^)]+)\) \|/gm)].map(([, folder = ""]) => folder);
  return [
    ...folders.filter((folder) => !rows.includes(folder)).map((folder) => `${page}: has no row for ${folder}`),
    ...rows.filter((row, at) => rows.indexOf(row) !== at).map((row) => `${page}: has two rows for ${row}`),
    ...rows.filter((row) => !folders.includes(row)).map((row) => `${page}: ${row} is no package`),
  ];
}
