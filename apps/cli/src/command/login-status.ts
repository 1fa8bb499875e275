import { resolveCredential } from "@unroll/config";
import type { ProcessIo } from "@unroll/program";
import { readLogin } from "@unroll/use-cases/login";
import { describeLogin } from "./describe-login.ts";
import { runConfigCommand } from "../run-config-command.ts";

export interface StatusOptions {
  readonly config?: readonly string[];
  readonly json?: boolean;
}

/** Returns the exit code: 0 somebody is logged in, 1 nobody is, 2 what is kept cannot be used. */
export function showLoginStatus(options: StatusOptions, io: ProcessIo): Promise<number> {
  return runConfigCommand(options, io, async ({ config, host, print }) => {
    const { status, fault } = await readLogin(config, host);
    const used = resolveCredential(config.provider, host.env);
    const variable = used.type === "bearer" ? used.envName : null;
    if (options.json) {
      const renewedAt = status?.renewedAt ? new Date(status.renewedAt).toISOString() : null;
      print(
        JSON.stringify({ loggedIn: status !== null, ...status, ...(status && { renewedAt }), usedInstead: variable }),
      );
    } else {
      print(status === null ? "Nobody is logged in: run unroll login." : describeLogin(status));
      if (fault !== null) print(`It is not used. ${fault}`);
      if (variable !== null) print(`${variable} is set, and used instead.`);
    }
    return status === null ? 1 : 0;
  });
}
