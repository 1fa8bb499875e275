import { defineAcpCommand, runAcp } from "@unroll/acp";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { version } from "../version.ts";

/** `unroll acp`: the app of that name. */
export function addAcpCommand(program: Command, { io, exit }: CommandContext): void {
  defineAcpCommand(program.command("acp"), {
    serve: async (flags) =>
      exit(
        await runAcp(
          { ...flags, version, openPage: async (url) => (await import("@unroll/program")).openPage(url, io) },
          io,
        ),
      ),
    logIn: async () => exit(await (await import("./run-login.ts")).runLogin({}, io)),
  });
}
