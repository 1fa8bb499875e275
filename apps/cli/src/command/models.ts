import { addSettingFlags, takeText } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { ModelsFlags } from "./list-models.ts";

/** `unroll models`: what is known of models, and from whom. */
export function addModelsCommand(program: Command, { launch }: CommandContext): void {
  addSettingFlags(program.command("models"))
    .description("list known models with their limits, efforts and prices (docs/models.md)")
    .option("--provider <id>", "only models of this provider", takeText)
    .option("--refresh", "download the provider's list first, and save it")
    .option("--all", "hidden models too")
    .option("--json", "as JSON")
    .option("--schema", "print a JSON Schema for the file in model_catalog_json")
    .action((flags: ModelsFlags) => launch(async (run) => (await import("./list-models.ts")).printModels(flags, run)));
}
