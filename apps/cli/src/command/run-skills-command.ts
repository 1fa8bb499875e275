import { surveyConfigSkills } from "@unroll/harness";
import { createHostEnvironment, loadProgramConfig, type ProcessIo, reportFailure } from "@unroll/program";
import { showHidden } from "@unroll/text";

/** What the flags of all subcommands say. */
export interface SkillsFlags {
  readonly json?: boolean;
  readonly cd?: string;
  readonly config?: readonly string[];
}

export type Survey = Awaited<ReturnType<typeof surveyConfigSkills>>;

export interface SkillsOutput {
  /** A line on stdout. */
  readonly print: (line: string) => void;
  /** A line on stderr. */
  readonly note: (line: string) => void;
}

/** Looks at the skills for a subcommand; returns its exit code. What files say cannot hide anything. */
export async function runSkillsCommand(
  flags: SkillsFlags,
  io: ProcessIo,
  run: (survey: Survey, output: SkillsOutput) => number,
): Promise<number> {
  try {
    const host = createHostEnvironment(io);
    const config = await loadProgramConfig(flags, host);
    for (const { message } of config.warnings) note(message);
    return run(await surveyConfigSkills(config, host), { print, note });
  } catch (error) {
    return reportFailure(error, io);
  }

  function print(line: string): void {
    io.stdout.stream.write(`${flags.json ? line : showHidden(line)}\n`);
  }
  function note(line: string): void {
    io.stderr.stream.write(`unroll: ${showHidden(line)}\n`);
  }
}

/** Null where all skills are read. */
export function explainUntrusted({ untrusted }: Survey): string | null {
  if (untrusted.length === 0) return null;
  return `The project is not trusted, so its skills are not read (${untrusted.length} found): set its trust_level in config.toml (docs/skills.md).`;
}
