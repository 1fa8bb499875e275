import { exitCodes, loadProgramConfig } from "@unroll/program";
import { renderTable, type TableColumn } from "@unroll/report";
import { shortenText } from "@unroll/text";
import { readSkills } from "@unroll/use-cases/skills";
import type { CommandRun } from "../run-command.ts";
import { complainOfMissing, printFaults, type SurveyFlags } from "./file-survey.ts";

const surveyed = { what: "skill", page: "docs/skills.md" } as const;

type Survey = Awaited<ReturnType<typeof readSkills>>;

/** The longest description that is shown. */
const shownCharacters = 80;

const columns: readonly TableColumn<Survey["skills"][number]>[] = [
  { value: ({ skill }) => skill.name },
  {
    value: ({ skill: { description, path }, isEnabled }) =>
      `${isEnabled ? "" : "(off) "}${shortenText(description, shownCharacters)}  (${path})`,
  },
];

/** Returns the exit code. */
export async function listSkills({ json, ...flags }: SurveyFlags, run: CommandRun): Promise<number> {
  const { print, printJson } = run;
  const found = await survey(flags, run);
  const { skills, untrusted } = found;
  if (!json)
    for (const line of renderTable(skills, { layouts: [columns], width: run.columns }).lines) await print(line);
  else
    for (const { skill, isEnabled } of skills) {
      const { name, description, path } = skill;
      await printJson({ name, description, path, state: isEnabled ? "enabled" : "disabled" });
    }
  if (json) for (const path of untrusted) await printJson({ name: null, description: null, path, state: "untrusted" });
  else if (skills.length === 0) await print("No skills found. docs/skills.md explains where to put them.");
  complainOfMissing(found, surveyed, run);
  return exitCodes.completed;
}

/** Prints each fault. Returns the exit code: 0 there is none, 1 there are some. */
export async function checkSkills({ json = false, ...flags }: SurveyFlags, run: CommandRun): Promise<number> {
  const found = await survey(flags, run);
  return printFaults(found, { ...surveyed, count: found.skills.length, json }, run);
}

async function survey(flags: SurveyFlags, { host, complain }: CommandRun): Promise<Survey> {
  const config = await loadProgramConfig(flags, host);
  for (const { message } of config.warnings) complain(message);
  return readSkills(config, host);
}
