import type { ProcessIo } from "@unroll/program";
import { showHidden } from "@unroll/text";
import { readSkills } from "@unroll/use-cases/skills";
import { runConfigCommand } from "../run-config-command.ts";

/** What the flags of all subcommands say. */
export interface SkillsFlags {
  readonly json?: boolean;
  readonly cd?: string;
  readonly config?: readonly string[];
}

export type Survey = Awaited<ReturnType<typeof readSkills>>;

export interface SkillsOutput {
  /** A line on stdout. */
  readonly print: (line: string) => void;
  /** A line on stderr. */
  readonly note: (line: string) => void;
}

/** Reads the skills for a subcommand; returns its exit code. Invisible characters of the files are escaped. */
export function runSkillsCommand(
  { json = false, ...flags }: SkillsFlags,
  io: ProcessIo,
  run: (survey: Survey, output: SkillsOutput) => number,
): Promise<number> {
  return runConfigCommand(flags, io, async ({ config, host, print, complain: note }) => {
    for (const { message } of config.warnings) note(message);
    return run(await readSkills(config, host), { print: (line) => print(json ? line : showHidden(line)), note });
  });
}

/** Null where all skills are read. */
export function explainUntrusted({ untrusted }: Survey): string | null {
  if (untrusted.length === 0) return null;
  return `The project is not trusted, so its skills are not read (${untrusted.length} found): set its trust_level in config.toml (docs/skills.md).`;
}
