import { addConfigFlag } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { SkillsFlags } from "./run-skills-command.ts";

/** `unroll skills`: the skills of the user and of the project. */
export function addSkillsCommand(program: Command, { io, exit }: CommandContext): void {
  const skills = program
    .command("skills")
    .description("look at the skills that a thread here would have (docs/skills.md)");
  addFlags(skills.command("list"))
    .description("list them: name, what for, where, and whether they are on")
    .action(async (flags: SkillsFlags) => exit(await (await import("./list-skills.ts")).listSkills(flags, io)));
  addFlags(skills.command("check"))
    .description("tell what is wrong with any, with file and line: exit code 1 where something is")
    .action(async (flags: SkillsFlags) => exit(await (await import("./check-skills.ts")).checkSkills(flags, io)));
}

function addFlags(command: Command): Command {
  return addConfigFlag(
    command.option("--json", "one JSON object a line").option("-C, --cd <dir>", "of a thread in this folder"),
  );
}
