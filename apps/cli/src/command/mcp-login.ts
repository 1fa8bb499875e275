import type { ProcessIo, ProgramFlags } from "@unroll/program";
import { findServer, logInToServer, logOutOfServer } from "@unroll/use-cases/mcp";
import { toMissingServerError } from "./missing-server-error.ts";
import { runConfigCommand } from "../run-config-command.ts";

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
    const found = findServer(server, config);
    if (found.type === "missing") throw toMissingServerError(found);
    const shown = {
      onHost: (name: string) => print(`Asking ${name}, which ${server} names for its login.`),
      openPage: async (url: string) => print(`Open this page to log in to ${server}:\n${url}`),
    };
    const outcome = await logInToServer({ config, host, server, signal }, shown);
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
    const outcome = await logOutOfServer({ config, host, server, signal });
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
