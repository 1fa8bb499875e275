import { realpathSync } from "node:fs";
import type { ProjectTable } from "../keys/config-table.ts";

type TrustLevel = NonNullable<ProjectTable["trust_level"]>;

/**
 * What the user says of a project; null: nothing. The path in the config may be another name of the same folder: where none is
 * the folder's own, the first of these counts.
 */
export function findTrustLevel(root: string, projects: Readonly<Record<string, ProjectTable>>): TrustLevel | null {
  const names = Object.keys(projects);
  if (names.length === 0) return null;
  if (Object.hasOwn(projects, root)) return projects[root]?.trust_level ?? null;
  const real = toReal(root);
  const other = names.find((name) => toReal(name) === real);
  return other === undefined ? null : (projects[other]?.trust_level ?? null);
}

/** At once, not by a promise each: people have hundreds of projects, and each start asks. */
function toReal(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // it is gone
  }
}
