import { noPathMemory, resolveIfAny } from "@unroll/files";
import type { SandboxPolicy } from "@unroll/protocol";
import { protectNamedPlaces } from "../git/git-rules.ts";

/**
 * Writable files and folders that git obeys because a configuration names them, with every link
 * followed. Commands cannot write them, or their changes are put aside. `home` is the target of
 * `~`; null: unknown.
 */
export function findObeyedPlaces(policy: SandboxPolicy, home: string | null): readonly string[] {
  if (policy.mode !== "workspace-write") return [];
  const folders = policy.roots.map(({ path }) => path);
  const { rules, mustStayAbsent } = protectNamedPlaces(folders, { writableRoots: folders, home, paths: noPathMemory });
  return [...rules.map(({ path }) => path), ...mustStayAbsent].map((path) => resolveIfAny(path) ?? path);
}
