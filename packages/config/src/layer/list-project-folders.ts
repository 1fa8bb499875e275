import type { ResolvedConfig } from "../resolved-config.ts";

/**
 * Folders that belong to projects or that commands may write: the working folder with its project's
 * root, the known projects, and writable folders. No program that unroll starts by name is taken
 * from there. The topmost folder is not included: it belongs to everyone.
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
