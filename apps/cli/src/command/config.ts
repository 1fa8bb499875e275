import { listConfigKeys } from "@unroll/config";
import { addSettingFlags, type ProgramFlags } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

interface LookFlags extends ProgramFlags {
  readonly json?: boolean;
}

interface PathFlags extends LookFlags {
  readonly all?: boolean;
}

/** `unroll config`: why each value is what it is, and changes of it. */
export function addConfigCommand(program: Command, { io, exit }: CommandContext): void {
  const config = program.command("config").description("look into the config, and change it (docs/config.md)");
  addSettingFlags(config.command("explain"))
    .description("say what a key is, where that was set, and what it is set to elsewhere; without a key, of all")
    .argument("[key]", "a key or a table: model, mcp_servers.github")
    .option("--json", "as JSON")
    .action(async (key: string | undefined, flags: LookFlags) =>
      exit(await (await import("./config-explain.ts")).explainKey(key ?? null, flags, io)),
    );
  addSettingFlags(config.command("get"))
    .description("print the value of a key; exit code 1 where it has none")
    .argument("<key>")
    .option("--json", "as JSON")
    .action(async (key: string, flags: LookFlags) =>
      exit(await (await import("./config-explain.ts")).printValue(key, flags, io)),
    );
  config
    .command("set")
    .description("set a key in your config.toml; comments and order stay")
    .argument("<key>")
    .argument("<value>", "TOML, or else a string; behind -- where it begins with -")
    .addHelpText("after", renderKeys)
    .action(async (key: string, value: string) =>
      exit(await (await import("./config-edit.ts")).setKey({ key, value }, io)),
    );
  config
    .command("unset")
    .description("take a key, or a table, out of your config.toml")
    .argument("<key>")
    .action(async (key: string) => exit(await (await import("./config-edit.ts")).unsetKey(key, io)));
  config
    .command("edit")
    .description("open your config.toml in $VISUAL, $EDITOR or vi; what could not be read is not kept")
    .action(async () => exit(await (await import("./config-editor.ts")).editByHand(io)));
  addSettingFlags(config.command("path"))
    .description("print where your config.toml is, or is to be")
    .option("--all", "every file that config is read from, and which of them are read")
    .option("--json", "as JSON")
    .action(async (flags: PathFlags) => exit(await (await import("./config-explain.ts")).printPaths(flags, io)));
  config
    .command("schema")
    .description("print a JSON Schema of config.toml, for editors")
    .action(async () => exit(await (await import("./config-explain.ts")).printSchema(io)));
}

/** Every key with what it may be. */
function renderKeys(): string {
  const rows = listConfigKeys().map(({ name, shown }) => `  ${name.padEnd(48)}  ${shown.replaceAll("`", "")}`);
  return `\nKeys (* is a name of yours; docs/config.md says what each means):\n${rows.join("\n")}`;
}
