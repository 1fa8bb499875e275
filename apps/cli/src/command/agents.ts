import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addSurveyFlags, type SurveyFlags } from "./file-survey.ts";

/** `unroll agents`: the roles that sub-agents can have. */
export function addAgentsCommand(program: Command, { launch }: CommandContext): void {
  const agents = program
    .command("agents")
    .description("list and check the roles that sub-agents can have in this folder (docs/agents.md)");
  addSurveyFlags(agents.command("list"))
    .description("list roles with their purpose, limits and file")
    .action((flags: SurveyFlags) => launch(async (run) => (await import("./run-agents.ts")).listRoles(flags, run)));
  addSurveyFlags(agents.command("check"))
    .description("report faults in files of roles, with file, line and field; exit code 1 if there are any")
    .action((flags: SurveyFlags) => launch(async (run) => (await import("./run-agents.ts")).checkRoles(flags, run)));
}
