import type { ApprovalPolicy, SandboxPolicy, SandboxReport } from "@unroll/protocol";

/** The settings that a thread's prompt depends on, besides files. Paths are absolute. */
export interface PromptContext extends PermissionsContext, EnvironmentContext {
  /**
   * The root of the repository around `cwd`: AGENTS.md files count from it down to `cwd`. Null: there is
   * no repository, and `cwd` alone counts.
   */
  readonly projectRoot: string | null;
  /** `$CODEX_HOME`: its AGENTS.md and its `skills` folder are read. */
  readonly codexHome: string;
  /** The user's home folder: `.agents/skills` in it is read. */
  readonly homeDirectory: string;
  /** `ModelFamily.id`: which base instructions to send. */
  readonly modelFamilyId: string;
  /** The tools of the thread's requests: built-in instructions speak of no others. */
  readonly tools: readonly PromptTool[];
  /** The program's own instructions, which replace all other base instructions. Absent: nothing. */
  readonly instructions?: string;
  /** A folder of base instructions, `<family>.md` each, in place of the built-in ones; null: those. */
  readonly instructionsFolder: string | null;
  /** `model_instructions_file`: takes the place of the base instructions. Null: the model family's. */
  readonly instructionsFile: string | null;
  /** `developer_instructions`. Null or blank: no such message. */
  readonly developerInstructions: string | null;
  /** Budget in bytes over all AGENTS.md files of the project; 0 leaves them out, more than 768 KiB counts as that. */
  readonly projectDocMaxBytes: number;
  readonly skillPolicy: SkillPolicy;
  /** Names that stand in, in this order, in a folder without AGENTS.md (`CLAUDE.md`). */
  readonly projectDocFallbackFilenames: readonly string[];
}

/** Which skills count, and whether the model gets their list. */
export interface SkillPolicy {
  /** The user's setting for the project; null if there is none. Only the skills of a trusted one are read. */
  readonly projectTrust: "trusted" | "untrusted" | null;
  /** Whether the model is given a list of them; without it they work by mention. */
  readonly isListed: boolean;
  /** Of several rules for one skill the last counts; without one it is enabled. */
  readonly rules: readonly SkillRule[];
}

/** `path`: of a SKILL.md or its folder, absolute. */
type SkillRule = { readonly isEnabled: boolean } & ({ readonly path: string } | { readonly name: string });

/** The settings that a thread's skills depend on, besides their files. */
export type SkillContext = Pick<PromptContext, "cwd" | "projectRoot" | "codexHome" | "homeDirectory" | "skillPolicy">;

/** The settings that the permissions message depends on. */
export interface PermissionsContext {
  readonly sandboxPolicy: SandboxPolicy;
  /** Absent or null: not known yet; the message does not mention it. */
  readonly sandboxReport?: SandboxReport | null;
  readonly approvalPolicy: ApprovalPolicy;
}

/** The settings that the environment message depends on. */
export interface EnvironmentContext {
  readonly cwd: string;
  /** The name of the user's shell (`bash`). */
  readonly shellName: string;
  /** Absent: the message names no day. */
  readonly today?: LocalDay;
}

/** A day as the user's calendar has it. */
export interface LocalDay {
  /** `2026-11-23` */
  readonly date: string;
  /** Its name in the IANA database (`Europe/Berlin`); null: not known. */
  readonly timeZone: string | null;
}

/**
 * The properties of a tool that instructions depend on: its name, and its type, which also names a hosted one. As of a
 * request's `tools`.
 */
export interface PromptTool {
  readonly type: string;
  readonly name?: string;
}
