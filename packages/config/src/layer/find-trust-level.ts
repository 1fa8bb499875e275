import { realpath } from "node:fs/promises";
import type { ProjectTable } from "../schema/config-table.ts";

type TrustLevel = NonNullable<ProjectTable["trust_level"]>;

/** What the user says of a project; null: nothing. The path in the config may be another name of the same folder. */
export async function findTrustLevel(
  root: string,
  projects: Readonly<Record<string, ProjectTable>>,
): Promise<TrustLevel | null> {
  const entries = Object.entries(projects);
  if (entries.length === 0) return null;
  const real = await realpath(root);
  for (const [path, { trust_level: level }] of entries) {
    if (path === root || (await realpath(path).catch(() => path)) === real) return level ?? null;
  }
  return null;
}
