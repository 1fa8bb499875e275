import type { ProcessIo } from "@unroll/program";
import { describeLogout } from "@unroll/report";
import { logOut } from "@unroll/use-cases/login";
import { runConfigCommand } from "../run-config-command.ts";

export interface LogoutFlags {
  readonly config?: readonly string[];
}

/** Returns the exit code: 0, also where nobody was logged in. */
export function runLogout(flags: LogoutFlags, io: ProcessIo): Promise<number> {
  return runConfigCommand(flags, io, async (run) => {
    const outcome = await logOut(run);
    for (const notice of outcome.notices) run.complain(notice);
    run.print(describeLogout(outcome));
    return 0;
  });
}
