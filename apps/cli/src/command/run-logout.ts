import { openLogin } from "@unroll/harness";
import type { ProcessIo } from "@unroll/program";
import { runConfigCommand } from "./run-config-command.ts";

/** How long the server may take to end the login, in ms. */
const revocationMs = 10_000;

export interface LogoutFlags {
  readonly config?: readonly string[];
}

/** Returns the exit code: 0, also where nobody was logged in. */
export function runLogout(flags: LogoutFlags, io: ProcessIo): Promise<number> {
  return runConfigCommand(flags, io, async ({ config, host, signal, print, complain }) => {
    const auth = await openLogin(config, host);
    const outcome = await auth.logOut(AbortSignal.any([signal, AbortSignal.timeout(revocationMs)]));
    for (const notice of outcome.notices) complain(notice);
    if (outcome.type === "not_logged_in") print("Nobody was logged in.");
    else
      print(
        `Logged out.${outcome.isRevoked === false ? " Its server was not told: it offers no way, or could not be reached." : ""}`,
      );
    return 0;
  });
}
