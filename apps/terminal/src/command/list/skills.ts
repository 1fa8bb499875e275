import { pluralize, shortenText, showHidden } from "@unroll/text";
import type { TerminalCommand } from "../terminal-command.ts";

const shownCharacters = 80;

export const skillsCommand: TerminalCommand = {
  name: "skills",
  description: "list the skills that the model can use here",
  argument: null,
  timing: "always",
  isHarmless: true,
  async run({ thread, host, tell }) {
    const { readSkills } = await import("@unroll/use-cases/skills");
    const { skills, untrusted } = await readSkills(thread.config, host);
    const lines = skills.map(({ skill: { name, description }, isEnabled }) =>
      showHidden(`${name}${isEnabled ? "" : " (off)"}: ${shortenText(description, shownCharacters)}`),
    );
    if (lines.length === 0)
      lines.push(
        `There are no skills. A skill is a folder with a SKILL.md, in ${thread.config.codexHome}/skills or in .agents/skills of a trusted project.`,
      );
    if (untrusted.length > 0)
      lines.push(`(${pluralize(untrusted.length, "skill")} of this project ignored: you have not trusted it.)`);
    tell(lines.join("\n"));
  },
};
