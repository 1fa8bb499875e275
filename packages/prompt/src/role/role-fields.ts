import { approvalPolicies, sandboxModes } from "@unroll/protocol";
import { skillNamePattern } from "../skill/skill.ts";
import { findRoleTool, type RoleTool } from "./claude-tools.ts";
import { type AgentRole, reading } from "./role.ts";

/** The meaning of a field. */
type FieldReading =
  | { readonly type: "says"; readonly role: Partial<AgentRole> }
  /** It does not restrict the role, and has no meaning here. */
  | { readonly type: "unused" }
  /** Continues a sentence that begins with the field. */
  | { readonly type: "wrong"; readonly problem: string };

/** Reads the value of a field. */
export type RoleField = (value: unknown) => FieldReading;

const says = (role: Partial<AgentRole>): FieldReading => ({ type: "says", role });
const wrong = (problem: string): FieldReading => ({ type: "wrong", problem });
const unused: FieldReading = { type: "unused" };
const ignore = (): FieldReading => unused;
const cosmetic = (): FieldReading => says({});

const name: RoleField = (value) =>
  typeof value === "string" && new RegExp(`^(?=.{1,64}$)${skillNamePattern}$`, "u").test(value)
    ? says({ name: value })
    : wrong("must be 1 to 64 letters, digits, `_` or `-`, with `.` or `:` only in between");

const description: RoleField = (value) =>
  isText(value)
    ? says({ description: value.replaceAll(/\s+/gu, " ").trim() })
    : wrong("must say in a sentence when to use the role");

export const instructions: RoleField = (value) =>
  isText(value) ? says({ instructions: value.trim() }) : wrong("must say what the sub-agent is to do");

const reasoningEffort: RoleField = (value) =>
  isText(value) ? says({ reasoningEffort: value }) : wrong("must be text");

/** The fields of the Codex CLI's files (0.169): three of its own, and any key of its config. */
export const codexFields: Readonly<Record<string, RoleField>> = {
  name,
  description,
  developer_instructions: instructions,
  nickname_candidates: cosmetic,
  model: (value) => (isText(value) ? says({ model: value }) : wrong("must be text")),
  model_reasoning_effort: reasoningEffort,
  sandbox_mode: (value) => {
    const sandboxMode = sandboxModes.find((mode) => mode === value);
    return sandboxMode ? says({ sandboxMode }) : wrong(`must be one of ${sandboxModes.join(", ")}`);
  },
  approval_policy: (value) => {
    const approvalPolicy = approvalPolicies.find((policy) => policy === value);
    return approvalPolicy ? says({ approvalPolicy }) : wrong(`must be one of ${approvalPolicies.join(", ")}`);
  },
  web_search: (value) => (value === "disabled" ? says({ withoutTools: ["web_search"] }) : unused),
  model_reasoning_summary: ignore,
  model_verbosity: ignore,
  personality: ignore,
  service_tier: ignore,
};

/** Names of models in Claude Code that mean the model of the thread here. */
const aliases: readonly string[] = ["inherit", "default", "sonnet", "opus", "opusplan", "fable"];

/** The fields of Claude Code's files, as its page on sub-agents lists them (2026-11). */
export const claudeFields: Readonly<Record<string, RoleField>> = {
  name,
  description,
  tools: readTools,
  disallowedTools: (value) => {
    const found = findTools(value);
    return typeof found === "string" ? wrong(found) : says({ withoutTools: found.flatMap(({ tools }) => tools) });
  },
  model(value) {
    if (!isText(value)) return wrong("must be text");
    if (value === "haiku") return says({ model: "small" });
    return says(aliases.includes(value) || value.startsWith("claude-") ? {} : { model: value });
  },
  effort: reasoningEffort,
  maxTurns(value) {
    const maxTurns = Number(value);
    return Number.isInteger(maxTurns) && maxTurns > 0 ? says({ maxTurns }) : wrong("must be a whole number from 1");
  },
  permissionMode(value) {
    if (value === "plan") return says(reading);
    if (value === "dontAsk") return says({ approvalPolicy: "never" });
    const isWider = ["acceptEdits", "bypassPermissions", "auto"].includes(String(value));
    return isWider ? unused : value === "default" || value === "manual" ? says({}) : wrong("is not a known mode");
  },
  isolation: (value) =>
    value === "worktree" ? says({ worktree: true }) : wrong("must be `worktree`, the only known value"),
  color: cosmetic,
  background: ignore,
  initialPrompt: ignore,
  mcpServers: ignore,
  memory: ignore,
  skills: ignore,
};

/** We read files by commands: a role that may only read gets them in a read-only sandbox. */
function readTools(value: unknown): FieldReading {
  if (value === "*") return says({});
  const found = findTools(value);
  if (typeof found === "string") return wrong(found);
  const reaches = new Set(found.map(({ reach }) => reach));
  const tools = [...new Set(found.flatMap((tool) => tool.tools))];
  if (reaches.has("commands")) return says({ tools });
  if (!reaches.has("edits")) return says({ ...reading, tools });
  if (!tools.includes("exec_command")) return says({ tools });
  return wrong(
    "allows edits and reading without `Bash`, but files are read by commands here: add `Bash`, or leave the edits out",
  );
}

/** The tools of a list; text: what is wrong with it. */
function findTools(value: unknown): readonly RoleTool[] | string {
  const names = typeof value === "string" ? value.split(/,(?![^(]*\))/u).map((each) => each.trim()) : value;
  if (!Array.isArray(names)) return "must be names of tools";
  const found: RoleTool[] = [];
  for (const each of names.filter((listed) => listed !== "")) {
    const tool = typeof each === "string" ? findRoleTool(each) : null;
    if (tool === null) return `names \`${String(each)}\`, which is not a known tool, so its limits cannot be kept`;
    found.push(tool);
  }
  return found;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
