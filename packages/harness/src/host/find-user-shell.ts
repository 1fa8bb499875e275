import type { UserShell } from "@unroll/tools";
import type { Host } from "./host.ts";

/** The shell of a thread's commands on this machine. `allowsLogin`: whether scripts may have the user's profile read first. */
export async function findUserShell(host: Pick<Host, "env">, allowsLogin: boolean): Promise<UserShell> {
  const { pickUserShell } = await import("./user-shell.ts");
  return pickUserShell(host, allowsLogin);
}
