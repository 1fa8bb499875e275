import type { ResolvedConfig } from "../resolved-config.ts";

/**
 * The folders that a config knows a project to own, or commands to write: the working folder with its project's root, the known
 * projects, writable folders. No program that unroll starts by its name comes from there. The topmost folder is everybody's.
 */
export function listProjectFolders({
  cwd,
  projectRoot,
  projects,
  sandboxSettings,
}: Pick<ResolvedConfig, "cwd" | "projectRoot" | "projects" | "sandboxSettings">): readonly string[] {
  const root = projectRoot === null ? [] : [projectRoot];
  const own = [cwd, ...root, ...Object.keys(projects)].filter((folder) => folder !== "/");
  return [...own, ...sandboxSettings.writableRoots];
}
