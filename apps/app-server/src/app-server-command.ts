import { addConfigFlags, addStoreFlag, collectValues, type ProcessIo, takeText } from "@unroll/program";
import { type Command, Option } from "commander";
import type { AppServerOptions } from "./serve.ts";
import type { SchemaOptions } from "./write-schema.ts";

export interface AppServerRuns {
  serve(options: Omit<AppServerOptions, "version">): Promise<void>;
  writeSchema(kind: "typescript" | "json-schema", options: SchemaOptions): Promise<void>;
}

/** Gives a command the arguments and flags of `unroll app-server`. */
export function defineAppServerCommand(command: Command, runs: AppServerRuns): Command {
  addStoreFlag(addConfigFlags(command))
    .description("serve threads to an editor or a program, as lines of JSON (docs/app-server.md)")
    .option("-p, --profile <name>", "a [profiles.<name>] of config.toml, or <name>.config.toml beside it", takeText)
    .option("--enable <feature>", "same as -c features.<feature>=true (repeatable)", collectValues)
    .option("--disable <feature>", "same as -c features.<feature>=false (repeatable)", collectValues)
    .option("--listen <address>", "stdio:// (as without it), unix://PATH or ws://127.0.0.1:PORT", takeText)
    .addOption(new Option("--stdio", "same as --listen stdio://").conflicts("listen"))
    .addOption(
      new Option("--ws-auth <mode>", "clients of ws:// show the token of one of the next two flags").choices([
        "capability-token",
      ]),
    )
    .option("--ws-token-file <file>", "the file that holds the token", takeText)
    .option("--ws-token-sha256 <hex>", "the SHA-256 digest of the token", takeText)
    .option("--analytics-default-enabled", "no effect: unroll sends no analytics")
    .allowExcessArguments(false)
    .action((flags: Omit<AppServerOptions, "version">) => runs.serve(flags));
  const kinds = [
    ["generate-ts", "typescript", "write the protocol as TypeScript, one file for each type"],
    [
      "generate-json-schema",
      "json-schema",
      "write the protocol as JSON Schema, one file for each type, and as two bundles",
    ],
  ] as const;
  for (const [name, kind, description] of kinds) {
    command
      .command(name)
      .description(description)
      .requiredOption("-o, --out <dir>", "into this folder, which is made", takeText)
      .option("--experimental", "experimental methods, too")
      .action((flags: SchemaOptions) => runs.writeSchema(kind, flags));
  }
  return command;
}

/**
 * Serves until its input ends, or a signal comes. Returns the exit code: 0 the input ended, 2 the command line or the config is
 * wrong, 128 + N stopped by signal N. All of it is loaded only now.
 */
export async function runAppServer(options: AppServerOptions, io: ProcessIo): Promise<number> {
  const { serve } = await import("./serve.ts");
  return serve(options, io);
}
