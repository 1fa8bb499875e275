import type { ProcessIo, ProgramFlags } from "@unroll/program";
import { loginLimits } from "@unroll/use-cases/login";
import { logInToMcp, logOutOfMcp } from "@unroll/harness";
import { findServer } from "./find-server.ts";
import { runConfigCommand } from "./run-config-command.ts";

interface LoginOptions extends Pick<ProgramFlags, "config"> {
  /** Of the server. */
  readonly name: string;
}

/** `scopes`: with commas between; absent: those of the config, or else what the server names. Returns the exit code: 0 logged in, 1 not, 2 there is none of that name. */
export function logIn(
  { name: server, scopes, config: given = [] }: LoginOptions & { readonly scopes?: string },
  io: ProcessIo,
): Promise<number> {
  const asked = scopes === undefined ? [] : [`mcp_servers.${JSON.stringify(server)}.oauth.scopes=${toList(scopes)}`];
  return runConfigCommand({ config: [...given, ...asked] }, io, async ({ config, host, signal, print, complain }) => {
    findServer(server, config);
    const outcome = await logInToMcp({
      config,
      host,
      server,
      onHost: (name) => print(`Asking ${name}, which ${server} names for its login.`),
      openPage: async (url) => print(`Open this page to log in to ${server}:\n${url}`),
      signal: AbortSignal.any([signal, AbortSignal.timeout(loginLimits.mcpPatienceMs)]),
    });
    if (outcome.type === "logged_in") {
      print(`Logged in to ${server}.`);
      for (const notice of outcome.notices) complain(notice);
    } else complain(outcome.type === "failed" ? outcome.message : "Nobody logged in. Run it again when you are ready.");
    return outcome.type === "logged_in" ? 0 : 1;
  });
}

/** Returns the exit code: 0, also where there was no login. */
export function logOut({ name: server, ...flags }: LoginOptions, io: ProcessIo): Promise<number> {
  return runConfigCommand(flags, io, async ({ config, host, signal, print }) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(loginLimits.revocationMs)]);
    const outcome = await logOutOfMcp({ config, host, server, signal: limit });
    if (outcome.type === "not_logged_in") print(`There is no login for ${server}.`);
    else
      print(
        `Logged out of ${server}.${outcome.isRevoked ? "" : " Its authorization server was not told: it offers no way."}`,
      );
    return 0;
  });
}

/** As TOML writes a list of texts. */
function toList(scopes: string): string {
  return JSON.stringify(scopes.split(",").map((scope) => scope.trim()));
}
