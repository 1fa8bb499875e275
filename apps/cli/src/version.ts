import { codexVersion } from "@unroll/protocol/codex-version";

/** The release, as in package.json. A test holds the two together. */
export const version = "0.1.0";

/** The names that this program can be started by. */
export type ProgramName = "unroll" | "codex";

/** The name by which it was started: `UNROLL_AS`, or the name of its file, which may be a link or a copy named `codex`. */
export function findProgramName(file: string, env: Readonly<Record<string, string | undefined>>): ProgramName {
  const name = env["UNROLL_AS"] || (/([^/\\]*?)(?:\.[cm]?js)?$/.exec(file)?.[1] ?? "");
  return name === "codex" ? "codex" : "unroll";
}

/** The answer to `--version`: as `codex`, first the number that programs made for the Codex CLI compare. */
export function describeVersion(name: ProgramName): string {
  return name === "codex" ? `codex-cli ${codexVersion} (unroll ${version})` : version;
}
