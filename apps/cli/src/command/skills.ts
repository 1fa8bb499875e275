import { addConfigFlag } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { SkillsFlags } from "./run-skills.ts";

/** `unroll skills`: the skills of the user and of the project. */
export function addSkillsCommand(program: Command, { launch }: CommandContext): void {
  const skills = program
    .command("skills")
    .description("list and check the skills that threads in this folder get (docs/skills.md)");
  addFlags(skills.command("list"))
    .description("list skills with their purpose, file, and whether they are on")
    .action((flags: SkillsFlags) => launch(async (run) => (await import("./run-skills.ts")).listSkills(flags, run)));
  addFlags(skills.command("check"))
    .description("report faults in skills, with file and line; exit code 1 if there are any")
    .action((flags: SkillsFlags) => launch(async (run) => (await import("./run-skills.ts")).checkSkills(flags, run)));
}

function addFlags(command: Command): Command {
  return addConfigFlag(
    command.option("--json", "as JSON, one object per line").option("-C, --cd <dir>", "as a thread in this folder"),
  );
}
