import { addConfigFlag } from "@unroll/program";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { LoginFlags } from "./run-login.ts";

interface StatusFlags {
  readonly config?: readonly string[];
  readonly json?: boolean;
}

/** `unroll login`: who the requests are from. */
export function addLoginCommand(program: Command, { io, exit }: CommandContext): void {
  const login = program.command("login");
  addConfigFlag(login)
    .description("log in with ChatGPT in the browser, or keep an API key (docs/login.md)")
    .option("--device-auth", "log in with a code on another device: for machines without a browser")
    .addOption(new Option("--with-api-key", "read an API key from stdin, and keep it").conflicts("deviceAuth"))
    .allowExcessArguments(false)
    .action(async (flags: LoginFlags) => exit(await (await import("./run-login.ts")).runLogin(flags, io)));
  addConfigFlag(login.command("status"))
    .description("say who is logged in, never with what; exit code 1 where nobody is")
    .option("--json", "as JSON")
    .action(async (_flags: unknown, command: Command) => {
      const flags = command.optsWithGlobals<StatusFlags>();
      exit(await (await import("./login-status.ts")).showLoginStatus(flags, io));
    });
}
