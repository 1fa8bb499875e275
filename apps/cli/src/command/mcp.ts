import { addConfigFlag, collectValues, takeText } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { AddFlags } from "./mcp-edit.ts";
import type { ShowFlags } from "./mcp-list.ts";
import type { LoginFlags, LogoutFlags } from "./mcp-login.ts";

/** `unroll mcp`: the MCP servers of the config. */
export function addMcpCommand(program: Command, { launch }: CommandContext): void {
  const mcp = program.command("mcp").description("manage MCP servers: add, list, test them, log in (docs/mcp.md)");
  addConfigFlag(mcp.command("list"))
    .description("list configured servers; credentials are never shown")
    .option("--json", "as JSON")
    .action((flags: ShowFlags) => launch(async (run) => (await import("./mcp-list.ts")).listMcpServers(flags, run)));
  addConfigFlag(mcp.command("get"))
    .description("show one server's settings")
    .argument("<name>")
    .option("--json", "as JSON")
    .action((name: string, flags: ShowFlags) =>
      launch(async (run) => (await import("./mcp-list.ts")).showMcpServer(name, flags, run)),
    );
  mcp
    .command("add")
    .description("add a server to config.toml: a program after --, or the --url of a streamable HTTP server")
    .argument("<name>", "letters, digits, - and _")
    .argument("[command...]", "the program and its arguments, after --")
    .option("--env <key=value>", "set a variable for the program (repeatable)", collectValues)
    .option("--url <url>", "the address of a streamable HTTP server", takeText)
    .option("--bearer-token-env-var <name>", "the environment variable with its token", takeText)
    .option("--oauth-client-id <id>", "your client id at its authorization server, for unroll mcp login", takeText)
    .option("--oauth-client-secret-env-var <name>", "the environment variable with that client's secret", takeText)
    .action((name: string, command: readonly string[], flags: AddFlags) =>
      launch(async (run) => (await import("./mcp-edit.ts")).addServer({ name, command, ...flags }, run)),
    );
  mcp
    .command("remove")
    .description("remove a server from config.toml")
    .argument("<name>")
    .action((name: string) => launch(async (run) => (await import("./mcp-edit.ts")).removeServer(name, run)));
  addConfigFlag(mcp.command("login"))
    .description("log in to an HTTP server by OAuth")
    .argument("<name>")
    .option("--scopes <list>", "scopes to request, separated by commas", takeText)
    .action((name: string, flags: LoginFlags) =>
      launch(async (run) => (await import("./mcp-login.ts")).logIn(name, flags, run)),
    );
  addConfigFlag(mcp.command("logout"))
    .description("delete the login of a server")
    .argument("<name>")
    .action((name: string, flags: LogoutFlags) =>
      launch(async (run) => (await import("./mcp-login.ts")).logOut(name, flags, run)),
    );
  addConfigFlag(mcp.command("test"))
    .description("start servers, and print their tools and what each costs per request")
    .argument("[names...]", "default: all enabled servers")
    .option("--json", "as JSON")
    .action((names: readonly string[], flags: ShowFlags) =>
      launch(async (run) => (await import("./mcp-test.ts")).testMcpServers(names, flags, run)),
    );
}
