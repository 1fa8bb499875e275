import { openLogin } from "@unroll/harness";
import { describeLogout, loginLimits, type ProcessIo } from "@unroll/program";
import { runConfigCommand } from "./run-config-command.ts";

export interface LogoutFlags {
  readonly config?: readonly string[];
}

/** Returns the exit code: 0, also where nobody was logged in. */
export function runLogout(flags: LogoutFlags, io: ProcessIo): Promise<number> {
  return runConfigCommand(flags, io, async ({ config, host, signal, print, complain }) => {
    const auth = await openLogin(config, host);
    const outcome = await auth.logOut(AbortSignal.any([signal, AbortSignal.timeout(loginLimits.revocationMs)]));
    for (const notice of outcome.notices) complain(notice);
    print(describeLogout(outcome));
    return 0;
  });
}
