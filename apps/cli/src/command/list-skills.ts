import { exitCodes, type ProcessIo } from "@unroll/program";
import { shortenText } from "@unroll/text";
import { explainUntrusted, runSkillsCommand, type SkillsFlags, type Survey } from "./run-skills-command.ts";

/** Of a description. */
const shownCharacters = 80;

/** Returns the exit code. */
export function listSkills(flags: SkillsFlags, io: ProcessIo): Promise<number> {
  return runSkillsCommand(flags, io, (survey, { print, note }) => {
    const { skills, faults, warnings } = survey;
    const lines = flags.json ? toJsonLines(survey) : toTextLines(survey);
    for (const line of lines) print(line);
    if (skills.length === 0 && !flags.json) print("There are no skills. docs/skills.md says where they lie.");
    for (const warning of warnings) note(warning);
    const untrusted = explainUntrusted(survey);
    if (untrusted !== null) note(untrusted);
    if (faults.length > 0)
      note(`${faults.length} ${faults.length === 1 ? "fault" : "faults"}: unroll skills check tells more.`);
    return exitCodes.completed;
  });
}

function toTextLines({ skills }: Survey): readonly string[] {
  const width = Math.max(0, ...skills.map(({ skill }) => skill.name.length));
  return skills.map(({ skill: { name, description, path }, isEnabled }) => {
    const state = isEnabled ? "" : "(off) ";
    return `${name.padEnd(width)}  ${state}${shortenText(description, shownCharacters)}  (${path})`;
  });
}

function toJsonLines({ skills, untrusted }: Survey): readonly string[] {
  return [
    ...skills.map(({ skill: { name, description, path }, isEnabled }) => ({
      name,
      description,
      path,
      state: isEnabled ? "enabled" : "disabled",
    })),
    ...untrusted.map((path) => ({ name: null, description: null, path, state: "untrusted" })),
  ].map((line) => JSON.stringify(line));
}
