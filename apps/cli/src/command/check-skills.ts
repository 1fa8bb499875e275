import { exitCodes, type ProcessIo } from "@unroll/program";
import { formatFault } from "@unroll/prompt";
import { explainUntrusted, runSkillsCommand, type SkillsFlags } from "./run-skills-command.ts";

/** Prints each fault. Returns the exit code: 0 there is none, 1 there are some. */
export function checkSkills(flags: SkillsFlags, io: ProcessIo): Promise<number> {
  return runSkillsCommand(flags, io, (survey, { print, note }) => {
    const { skills, faults, warnings } = survey;
    for (const fault of faults) {
      const { path, place, problem, isSkipped } = fault;
      const wire = { path, line: place?.line ?? null, column: place?.column ?? null, problem, skipped: isSkipped };
      print(flags.json ? JSON.stringify(wire) : formatFault(fault));
    }
    for (const warning of warnings) note(warning);
    const untrusted = explainUntrusted(survey);
    if (untrusted !== null) note(untrusted);
    const isFine = faults.length === 0 && warnings.length === 0;
    if (isFine && !flags.json) print(`Nothing is wrong with the ${skills.length} skills.`);
    return isFine ? exitCodes.completed : exitCodes.failed;
  });
}
