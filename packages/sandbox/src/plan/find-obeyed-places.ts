import { resolveIfAny } from "@unroll/files";
import type { SandboxPolicy } from "@unroll/protocol";
import { protectNamedPlaces } from "../git/git-rules.ts";

/**
 * Files and folders among those that commands may write which git obeys because a configuration names them, with every link
 * followed: commands cannot write them, or what they make there is put aside. `home` is where `~` leads; null when unknown.
 */
export function findObeyedPlaces(policy: SandboxPolicy, home: string | null): readonly string[] {
  if (policy.mode !== "workspace-write") return [];
  const folders = policy.roots.map(({ path }) => path);
  const { rules, mustStayAbsent } = protectNamedPlaces(folders, { writableRoots: folders, home });
  return [...rules.map(({ path }) => path), ...mustStayAbsent].map((path) => resolveIfAny(path) ?? path);
}
