import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `unroll eval`: evaluation of results. */
export function addEvalCommand(program: Command, { launch }: CommandContext): void {
  program
    .command("eval")
    .description("compare evaluation runs (docs/evaluation.md)")
    .command("compare")
    .description("compare two runs of the same tasks, task by task: solved, cost, time and tokens")
    .argument("<a.jsonl>", "results of a run, as unroll exec --batch --out writes them")
    .argument("<b.jsonl>", "results of the other run")
    .option("--json", "as one JSON object")
    .action((a: string, b: string, flags: { readonly json?: boolean }) =>
      launch(async (run) => (await import("./eval-compare.ts")).compareResults({ a, b, ...flags }, run)),
    );
}
