import { loadProgramConfig, type ProgramFlags } from "@unroll/program";
import { logInToServer, logOutOfServer } from "@unroll/use-cases/mcp";
import type { CommandRun } from "../run-command.ts";
import { requireServer } from "./require-server.ts";

/** The flags of `unroll mcp logout`. */
export type LogoutFlags = Pick<ProgramFlags, "config">;

/** The flags of `unroll mcp login`. */
export interface LoginFlags extends LogoutFlags {
  /** With commas between. Absent: those of the config, or else those that the server names. */
  readonly scopes?: string;
}

/** Returns the exit code: 0 logged in, 1 not. Throws if there is no such server. */
export async function logIn(
  server: string,
  { scopes, config: given = [] }: LoginFlags,
  run: CommandRun,
): Promise<number> {
  const { host, signal, print, complain } = run;
  const asked = scopes === undefined ? [] : [`mcp_servers.${JSON.stringify(server)}.oauth.scopes=${toList(scopes)}`];
  const config = await loadProgramConfig({ config: [...given, ...asked] }, host);
  requireServer(server, config);
  const outcome = await logInToServer(
    { config, host, server, signal },
    {
      onHost: (name) => void print(`Contacting ${name}, which ${server} names for its login.`).catch(() => {}),
      openPage: (url) => print(`Open this page to log in to ${server}:\n${url}`),
    },
  );
  if (outcome.type === "logged_in") {
    await print(`Logged in to ${server}.`);
    for (const notice of outcome.notices) complain(notice);
  } else complain(outcome.type === "failed" ? outcome.message : "Login cancelled. Run it again when you are ready.");
  return outcome.type === "logged_in" ? 0 : 1;
}

/** Returns the exit code: 0, also if there was no login. */
export async function logOut(server: string, flags: LogoutFlags, { host, signal, print }: CommandRun): Promise<number> {
  const config = await loadProgramConfig(flags, host);
  const outcome = await logOutOfServer({ config, host, server, signal });
  if (outcome.type === "not_logged_in") await print(`Not logged in to ${server}.`);
  else {
    const more = outcome.isRevoked
      ? ""
      : " Its authorization server offers no way to revoke the login, so it stays valid there.";
    await print(`Logged out of ${server}.${more}`);
  }
  return 0;
}

/** As TOML writes a list of texts. */
function toList(scopes: string): string {
  return JSON.stringify(scopes.split(",").map((scope) => scope.trim()));
}
