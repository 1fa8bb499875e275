import { addSettingFlags, takeText } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { ModelsFlags } from "./list-models.ts";

/** `unroll models`: what is known of models, and who says so. */
export function addModelsCommand(program: Command, { io, exit }: CommandContext): void {
  addSettingFlags(program.command("models"))
    .description("list the models that are known, with their bounds, efforts and prices (docs/models.md)")
    .option("--provider <id>", "only those of this provider", takeText)
    .option("--refresh", "ask the provider for its list first, and keep it")
    .option("--all", "hidden ones, too")
    .option("--json", "as JSON")
    .option("--schema", "print a JSON Schema of the file that model_catalog_json names")
    .action(async (flags: ModelsFlags) => exit(await (await import("./list-models.ts")).printModels(flags, io)));
}
