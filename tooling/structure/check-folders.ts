import { dirname } from "node:path";
import type { Repository } from "./repository.ts";

/** Folders that hold one thing: its own name says where it belongs. A package's `src` may. */
export function checkFolders(repository: Repository): readonly string[] {
  const children = new Map<string, Set<string>>();
  for (const file of repository.list("{packages,apps}/*/src/**/*.ts", "{bench,simulation}/src/**/*.ts")) {
    const begin = file.indexOf("/src/") + 4;
    for (let child = file; dirname(child).length > begin; child = dirname(child)) {
      const folder = dirname(child);
      children.set(folder, (children.get(folder) ?? new Set()).add(child));
    }
  }
  return [...children].flatMap(([folder, [only, ...more]]) =>
    only === undefined || more.length > 0
      ? []
      : [`${folder}: holds ${only} and nothing else: move that to ${dirname(folder)}, until a second one comes`],
  );
}
