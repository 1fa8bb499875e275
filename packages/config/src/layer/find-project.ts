import { findWorkTree } from "@unroll/files";
import type { ResolvedConfig } from "../resolved-config.ts";
import { findTrustLevel } from "./find-trust-level.ts";

/**
 * The project around a folder, and what the user says of it, as `loadConfig` finds them for its working folder: for who goes to another one
 * with the config of the first. `folder`: absolute. Looks at the disk, and throws nothing.
 */
export function findProject(
  { projects }: Pick<ResolvedConfig, "projects">,
  folder: string,
): Pick<ResolvedConfig, "projectRoot" | "projectTrust"> {
  const projectRoot = findWorkTree(folder);
  return { projectRoot, projectTrust: findTrustLevel(projectRoot ?? folder, projects) };
}
