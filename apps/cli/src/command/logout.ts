import { addConfigFlag } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { LogoutFlags } from "./run-logout.ts";

/** `unroll logout`: the end of what `unroll login` began. */
export function addLogoutCommand(program: Command, { io, exit }: CommandContext): void {
  addConfigFlag(program.command("logout"))
    .description("forget the login, here and at its server")
    .action(async (flags: LogoutFlags) => exit(await (await import("./run-logout.ts")).runLogout(flags, io)));
}
