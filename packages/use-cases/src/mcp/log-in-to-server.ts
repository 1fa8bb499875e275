import { type Host, logInToMcp, logOutOfMcp, type ResolvedConfig } from "@unroll/harness";
import { loginLimits } from "../login/login-limits.ts";

/** A server, by its name in the config. */
export interface ServerPlace {
  readonly config: ResolvedConfig;
  readonly host: Host;
  readonly server: string;
  readonly signal: AbortSignal;
}

/** What the user sees of a login. */
export interface ServerLogin {
  readonly openPage: (url: string) => Promise<void>;
  /** A host that the server names is asked next. Absent: nobody is told. */
  readonly onHost?: (host: string) => void;
}

/** Logs the user in to a configured server over HTTP. Expected failures are values. */
export function logInToServer(
  { signal, ...place }: ServerPlace,
  { openPage, onHost = () => {} }: ServerLogin,
): ReturnType<typeof logInToMcp> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(loginLimits.mcpPatienceMs)]);
  return logInToMcp({ ...place, openPage, onHost, signal: until });
}

/** Forgets the login of a server, also of one that left the config, and asks its server to revoke it. */
export function logOutOfServer({ signal, ...place }: ServerPlace): ReturnType<typeof logOutOfMcp> {
  return logOutOfMcp({ ...place, signal: AbortSignal.any([signal, AbortSignal.timeout(loginLimits.revocationMs)]) });
}
