import type { GitProbe, GitSettings } from "@unroll/exec-policy";
import { drain } from "@unroll/flow";
import type { CommandOutcome } from "@unroll/protocol";
import type { CommandRunner } from "@unroll/tools";

/**
 * Finds which programs a repository's own settings make git run while it reads. Reads the settings each time, because
 * any command may have changed them. Null where it cannot be known: no repository, no git, too much to read.
 */
export type GitReader = (cwd: string, signal: AbortSignal) => Promise<GitSettings | null>;

/** A bound for one that hangs: what a look finds must not hang on how busy the machine is. */
const timeoutMs = 60_000;
const maxOutputBytes = 8 * 1024 * 1024;

/** Its git commands run like the model's, in the sandbox if there is one. */
export function createGitReader(runner: CommandRunner): GitReader {
  async function readProbe({ argv, environment }: GitProbe, cwd: string, signal: AbortSignal): Promise<string | null> {
    const spec = { argv, cwd, environment, timeoutMs, maxOutputBytes, confinement: "policy" } as const;
    return toWholeOutput(await drain(runner.run(spec, signal)));
  }

  return async (cwd, signal) => {
    const { gitProbes, readGitSettings } = await import("@unroll/exec-policy");
    const keys = await readProbe(gitProbes.keys, cwd, signal);
    const entries = keys === null ? null : await readProbe(gitProbes.entries, cwd, signal);
    return keys === null || entries === null ? null : readGitSettings({ keys, entries });
  };
}

function toWholeOutput(outcome: CommandOutcome): string | null {
  const isWhole = outcome.type === "exited" && outcome.exitCode === 0 && outcome.output.omittedBytes === 0;
  return isWhole ? outcome.output.text : null;
}
