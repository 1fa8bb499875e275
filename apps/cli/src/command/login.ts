import { addConfigFlag, takeText } from "@unroll/program";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { AccountFlags, LoginFlags, StatusFlags } from "./run-login.ts";

/** `unroll login`: who the requests are from. */
export function addLoginCommand(program: Command, { launch }: CommandContext): void {
  const login = program.command("login");
  addAccountFlag(addConfigFlag(login))
    .description("log in with ChatGPT in the browser, or store an API key (docs/login.md)")
    .option("--device-auth", "log in with a code on another device: for machines without a browser")
    .addOption(new Option("--with-api-key", "read an API key from stdin, and store it").conflicts("deviceAuth"))
    .allowExcessArguments(false)
    .action((flags: LoginFlags) => launch(async (run) => (await import("./run-login.ts")).logInHere(flags, run)));
  addConfigFlag(login.command("status"))
    .description("show who is logged in, without secrets; exit code 1 if no one is")
    .option("--json", "as JSON")
    .action((_flags: unknown, command: Command) =>
      launch(async (run) =>
        (await import("./run-login.ts")).showLoginStatus(command.optsWithGlobals<StatusFlags>(), run),
      ),
    );
}

/** `unroll logout`: ends what `unroll login` began. */
export function addLogoutCommand(program: Command, { launch }: CommandContext): void {
  addAccountFlag(addConfigFlag(program.command("logout")))
    .description("delete the stored login, and revoke it at its server")
    .action((flags: AccountFlags) => launch(async (run) => (await import("./run-login.ts")).logOutHere(flags, run)));
}

function addAccountFlag(command: Command): Command {
  return command.option("--as <name>", "the account, if you have several (default: the config's account)", takeText);
}
