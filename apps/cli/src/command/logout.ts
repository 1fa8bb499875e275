import { collectValues } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { LogoutFlags } from "./run-logout.ts";

/** `unroll logout`: the end of what `unroll login` began. */
export function addLogoutCommand(program: Command, { io, exit }: CommandContext): void {
  program
    .command("logout")
    .description("forget the login, here and at its server")
    .option("-c, --config <key=value>", "set a config key (repeatable)", collectValues)
    .action(async (flags: LogoutFlags) => exit(await (await import("./run-logout.ts")).runLogout(flags, io)));
}
