import { listConfigKeys } from "@unroll/config";
import { addSettingFlags } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { PathFlags, ShowFlags } from "./config-explain.ts";

/** `unroll config`: why each value is what it is, and changes of it. */
export function addConfigCommand(program: Command, { io, exit, launch }: CommandContext): void {
  const config = program.command("config").description("explain the config, and change it (docs/config.md)");
  addSettingFlags(config.command("explain"))
    .description("show a key's value, where it is set and what it overrides; without a key, show all")
    .argument("[key]", "a key or a table, such as model or mcp_servers.github")
    .option("--json", "as JSON")
    .action((key: string | undefined, flags: ShowFlags) =>
      launch(async (run) => (await import("./config-explain.ts")).explainKey(key ?? null, flags, run)),
    );
  addSettingFlags(config.command("get"))
    .description("print a key's value; exit code 1 if it has none")
    .argument("<key>")
    .option("--json", "as JSON")
    .action((key: string, flags: ShowFlags) =>
      launch(async (run) => (await import("./config-explain.ts")).printValue(key, flags, run)),
    );
  config
    .command("set")
    .description("set a key in your config.toml; comments and order stay")
    .argument("<key>")
    .argument("<value>", "a TOML value, or else a string; write -- before it if it starts with -")
    .addHelpText("after", renderKeys)
    .action((key: string, value: string) =>
      launch(async (run) => (await import("./config-edit.ts")).setKey({ key, value }, run)),
    );
  config
    .command("unset")
    .description("remove a key or a table from your config.toml")
    .argument("<key>")
    .action((key: string) => launch(async (run) => (await import("./config-edit.ts")).unsetKey(key, run)));
  config
    .command("edit")
    .description("open your config.toml in $VISUAL, $EDITOR or vi; a broken edit does not replace it")
    .action(async () => exit(await (await import("./config-edit.ts")).editByHand(io)));
  addSettingFlags(config.command("path"))
    .description("print the path of your config.toml, even if it does not exist yet")
    .option("--all", "every config file, and which of them are read")
    .option("--json", "as JSON")
    .action((flags: PathFlags) => launch(async (run) => (await import("./config-explain.ts")).printPaths(flags, run)));
  config
    .command("schema")
    .description("print a JSON Schema of config.toml, for editors")
    .action(() => launch(async (run) => (await import("./config-explain.ts")).printSchema(run)));
}

/** Every key with what it may be. */
function renderKeys(): string {
  const rows = listConfigKeys().map(({ name, shown }) => `  ${name.padEnd(48)}  ${shown.replaceAll("`", "")}`);
  return `\nKeys (* is a name that you choose; docs/config.md explains each):\n${rows.join("\n")}`;
}
