import { existsSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import type { UserShell } from "@unroll/tools";
import type { Host } from "./host.ts";

/** Shells that take `-l` and `-c`. Others, such as fish, would not understand the model's scripts. */
const knownShells = new Set(["bash", "zsh", "sh", "dash", "ksh"]);

/**
 * The user's shell (`$SHELL`, which `nodeHost` fills in from the system's list of users) if it is there and the model can
 * write for it; otherwise bash, and sh where there is no bash.
 */
export function pickUserShell({ env }: Pick<Host, "env">, allowsLogin: boolean): UserShell {
  const configured = env["SHELL"] ?? "";
  const isUsable = isAbsolute(configured) && knownShells.has(basename(configured)) && existsSync(configured);
  const path = isUsable ? configured : hasBash(env["PATH"] ?? "") ? "bash" : "sh";
  return {
    name: basename(path),
    allowsLogin,
    toArgv: (script, { login, program = path }) => [program, login && allowsLogin ? "-lc" : "-c", script],
  };
}

/** Without a PATH, the system has one of its own, and bash is as likely as ever. */
function hasBash(path: string): boolean {
  const folders = path.split(":").filter(isAbsolute);
  return folders.length === 0 || folders.some((folder) => existsSync(join(folder, "bash")));
}
