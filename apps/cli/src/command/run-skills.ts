import { exitCodes, loadProgramConfig } from "@unroll/program";
import { formatFault } from "@unroll/prompt";
import { renderTable, type TableColumn } from "@unroll/report";
import { countNouns, shortenText } from "@unroll/text";
import { readSkills } from "@unroll/use-cases/skills";
import type { CommandRun } from "../run-command.ts";

/** The flags of all its subcommands. */
export interface SkillsFlags {
  readonly json?: boolean;
  readonly cd?: string;
  readonly config?: readonly string[];
}

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
export async function listSkills({ json, ...flags }: SkillsFlags, run: CommandRun): Promise<number> {
  const { print, printJson, complain } = run;
  const { skills, faults, warnings, untrusted } = await survey(flags, run);
  if (!json)
    for (const line of renderTable(skills, { layouts: [columns], width: run.columns }).lines) await print(line);
  else
    for (const { skill, isEnabled } of skills) {
      const { name, description, path } = skill;
      await printJson({ name, description, path, state: isEnabled ? "enabled" : "disabled" });
    }
  if (json) for (const path of untrusted) await printJson({ name: null, description: null, path, state: "untrusted" });
  else if (skills.length === 0) await print("No skills found. docs/skills.md explains where to put them.");
  for (const text of [...warnings, ...explainUntrusted(untrusted)]) complain(text);
  if (faults.length > 0) complain(`${countNouns(faults.length, "fault")}: see unroll skills check.`);
  return exitCodes.completed;
}

/** Prints each fault. Returns the exit code: 0 there is none, 1 there are some. */
export async function checkSkills({ json, ...flags }: SkillsFlags, run: CommandRun): Promise<number> {
  const { skills, faults, warnings, untrusted } = await survey(flags, run);
  for (const fault of faults) {
    const { path, place, problem, isSkipped } = fault;
    const wire = { path, line: place?.line ?? null, column: place?.column ?? null, problem, skipped: isSkipped };
    await (json ? run.printJson(wire) : run.print(formatFault(fault)));
  }
  for (const text of [...warnings, ...explainUntrusted(untrusted)]) run.complain(text);
  const isFine = faults.length === 0 && warnings.length === 0;
  if (isFine && !json) await run.print(`No faults in ${countNouns(skills.length, "skill")}.`);
  return isFine ? exitCodes.completed : exitCodes.failed;
}

async function survey(flags: SkillsFlags, { host, complain }: CommandRun): Promise<Survey> {
  const config = await loadProgramConfig(flags, host);
  for (const { message } of config.warnings) complain(message);
  return readSkills(config, host);
}

function explainUntrusted({ length }: Survey["untrusted"]): readonly string[] {
  if (length === 0) return [];
  return [
    `This project is not trusted, so its ${countNouns(length, "skill")} ${length === 1 ? "is" : "are"} not read: set its trust_level in config.toml (docs/skills.md).`,
  ];
}
