import { defineAppServerCommand, runAppServer, writeAppServerSchema } from "@unroll/app-server";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { version } from "../version.ts";

/** `unroll app-server`: the app of that name. */
export function addAppServerCommand(program: Command, { io, exit }: CommandContext): void {
  defineAppServerCommand(program.command("app-server"), {
    serve: async (options) => exit(await runAppServer({ ...options, version }, io)),
    writeSchema: async ({ out }) => exit(await writeAppServerSchema(out, io)),
  });
}
