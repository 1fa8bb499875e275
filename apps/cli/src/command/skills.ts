import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addSurveyFlags, type SurveyFlags } from "./file-survey.ts";

/** `unroll skills`: the skills of the user and of the project. */
export function addSkillsCommand(program: Command, { launch }: CommandContext): void {
  const skills = program
    .command("skills")
    .description("list and check the skills that threads in this folder get (docs/skills.md)");
  addSurveyFlags(skills.command("list"))
    .description("list skills with their purpose, file, and whether they are on")
    .action((flags: SurveyFlags) => launch(async (run) => (await import("./run-skills.ts")).listSkills(flags, run)));
  addSurveyFlags(skills.command("check"))
    .description("report faults in skills, with file and line; exit code 1 if there are any")
    .action((flags: SurveyFlags) => launch(async (run) => (await import("./run-skills.ts")).checkSkills(flags, run)));
}
