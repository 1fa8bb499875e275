import { constants } from "node:fs";
import { resolve } from "node:path";
import { kindOf, mayAccess, resolveIfAny } from "@unroll/files";

/** The result of starting a program of that name in `cwd`, as far as the file itself shows. */
export function lookUpProgram(
  name: string,
  cwd: string,
  searchPath: string,
): "missing" | "not_executable" | "executable" {
  const folders = name.includes("/") ? [""] : searchPath.split(":");
  const found = folders.flatMap((folder) => resolveIfAny(resolve(cwd, folder, name)) ?? []);
  if (found.some((file) => kindOf(file) === "file" && mayAccess(file, constants.X_OK))) return "executable";
  return found.length > 0 ? "not_executable" : "missing";
}
