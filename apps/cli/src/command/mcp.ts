import { addConfigFlag, collectValues, takeText } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

interface AddFlags {
  readonly env?: readonly string[];
  readonly url?: string;
  readonly bearerTokenEnvVar?: string;
  readonly oauthClientId?: string;
  readonly oauthClientSecretEnvVar?: string;
}

interface JsonFlag {
  readonly json?: boolean;
  readonly config?: readonly string[];
}

interface LoginFlags extends Pick<JsonFlag, "config"> {
  readonly scopes?: string;
}

/** `unroll mcp`: the MCP servers of the config. */
export function addMcpCommand(program: Command, { io, exit }: CommandContext): void {
  const mcp = program.command("mcp").description("manage MCP servers: add, list, test them, log in (docs/mcp.md)");
  addConfigFlag(mcp.command("list"))
    .description("list the servers of the config; credentials are never shown")
    .option("--json", "as JSON")
    .action(async (flags: JsonFlag) => exit(await (await import("./mcp-list.ts")).listMcpServers(flags, io)));
  addConfigFlag(mcp.command("get"))
    .description("show one server's settings")
    .argument("<name>")
    .option("--json", "as JSON")
    .action(async (name: string, flags: JsonFlag) =>
      exit(await (await import("./mcp-list.ts")).showMcpServer({ name, ...flags }, io)),
    );
  mcp
    .command("add")
    .description("add a server to config.toml: a program behind --, or --url of a streamable HTTP server")
    .argument("<name>", "letters, digits, - and _")
    .argument("[command...]", "the program and its arguments, behind --")
    .option("--env <key=value>", "set in the program's environment (repeatable)", collectValues)
    .option("--url <url>", "the address of a streamable HTTP server", takeText)
    .option("--bearer-token-env-var <name>", "the variable that holds its token", takeText)
    .option(
      "--oauth-client-id <id>",
      "the client that its authorization server knows you by, for unroll mcp login",
      takeText,
    )
    .option("--oauth-client-secret-env-var <name>", "the variable that holds that client's secret", takeText)
    .action(async (name: string, command: readonly string[], flags: AddFlags) =>
      exit(await (await import("./mcp-edit.ts")).addServer({ name, command, ...flags }, io)),
    );
  mcp
    .command("remove")
    .description("remove a server from config.toml")
    .argument("<name>")
    .action(async (name: string) => exit(await (await import("./mcp-edit.ts")).removeServer(name, io)));
  addConfigFlag(mcp.command("login"))
    .description("log in to a server over HTTP that wants it (OAuth)")
    .argument("<name>")
    .option("--scopes <list>", "what is asked for, with commas between", takeText)
    .action(async (name: string, flags: LoginFlags) =>
      exit(await (await import("./mcp-login.ts")).logIn({ name, ...flags }, io)),
    );
  addConfigFlag(mcp.command("logout"))
    .description("forget the login of a server")
    .argument("<name>")
    .action(async (name: string, flags: Pick<LoginFlags, "config">) =>
      exit(await (await import("./mcp-login.ts")).logOut({ name, ...flags }, io)),
    );
  addConfigFlag(mcp.command("test"))
    .description("start servers, and print their tools and what these cost in every request")
    .argument("[names...]", "absent: all that are enabled")
    .option("--json", "as JSON")
    .action(async (names: readonly string[], flags: JsonFlag) =>
      exit(await (await import("./mcp-test.ts")).testMcpServers({ names, ...flags }, io)),
    );
}
