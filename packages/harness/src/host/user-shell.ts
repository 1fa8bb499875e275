import { basename } from "node:path";
import type { UserShell } from "@unroll/tools";
import type { Host } from "./host.ts";

/** Shells that take `-l` and `-c`. Others, such as fish, would not understand the model's scripts. */
const knownShells = new Set(["bash", "zsh", "sh", "dash", "ksh"]);

/** The user's shell if the model can write for it, otherwise bash. */
export function findUserShell({ env }: Pick<Host, "env">, allowsLogin: boolean): UserShell {
  const configured = env["SHELL"] ?? "";
  const isKnown = configured.startsWith("/") && knownShells.has(basename(configured));
  const path = isKnown ? configured : "bash";
  return {
    name: basename(path),
    allowsLogin,
    toArgv: (script, { login, program = path }) => [program, login && allowsLogin ? "-lc" : "-c", script],
  };
}
