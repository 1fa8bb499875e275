import { exitCodes, loadProgramConfig } from "@unroll/program";
import type { FoundRole } from "@unroll/prompt";
import { renderTable, type TableColumn } from "@unroll/report";
import { shortenText } from "@unroll/text";
import { readRoles } from "@unroll/use-cases/agents";
import type { CommandRun } from "../run-command.ts";
import { complainOfMissing, printFaults, type SurveyFlags } from "./file-survey.ts";

const surveyed = { what: "role", page: "docs/agents.md" } as const;

/** The longest description that is shown. */
const shownCharacters = 80;

const columns: readonly TableColumn<FoundRole>[] = [
  { value: ({ name }) => name },
  {
    value: (role) =>
      `${shortenText(role.description, shownCharacters)}${describeLimits(role)}  (${role.path ?? "built in"})`,
  },
];

/** Returns the exit code. */
export async function listRoles({ json = false, ...flags }: SurveyFlags, run: CommandRun): Promise<number> {
  const { print, printJson } = run;
  const found = await survey(flags, run);
  const { roles, untrusted } = found;
  if (json) {
    for (const { instructions: _, ...role } of roles) await printJson({ ...toWire(role), state: "enabled" });
    for (const path of untrusted) await printJson({ name: null, path, state: "untrusted" });
  } else {
    for (const line of renderTable(roles, { layouts: [columns], width: run.columns }).lines) await print(line);
  }
  complainOfMissing(found, surveyed, run);
  return exitCodes.completed;
}

/** Prints each fault. Returns the exit code: 0 there is none, 1 there are some. */
export async function checkRoles({ json = false, ...flags }: SurveyFlags, run: CommandRun): Promise<number> {
  const found = await survey(flags, run);
  const count = found.roles.filter(({ path }) => path !== null).length;
  return printFaults(found, { ...surveyed, count, json }, run);
}

async function survey(flags: Omit<SurveyFlags, "json">, { host, complain }: CommandRun): ReturnType<typeof readRoles> {
  const config = await loadProgramConfig(flags, host);
  for (const { message } of config.warnings) complain(message);
  return readRoles(config, host);
}

/** Empty: it has none of its own. */
function describeLimits(role: FoundRole): string {
  const { sandboxMode, approvalPolicy, tools, withoutTools, maxTurns, model, worktree } = role;
  const limits = [
    ...(sandboxMode === null ? [] : [sandboxMode]),
    ...(approvalPolicy === null ? [] : [`approvals ${approvalPolicy}`]),
    ...(tools === null ? [] : [`only ${tools.join(" ") || "no tools"}`]),
    ...(withoutTools.length === 0 ? [] : [`without ${withoutTools.join(" ")}`]),
    ...(maxTurns === null ? [] : [`${maxTurns} requests`]),
    ...(model === null ? [] : [`model ${model}`]),
    ...(worktree ? ["worktree"] : []),
  ];
  return limits.length === 0 ? "" : ` [${limits.join(", ")}]`;
}

function toWire(role: Omit<FoundRole, "instructions">): Readonly<Record<string, unknown>> {
  return {
    name: role.name,
    description: role.description,
    path: role.path,
    tools: role.tools,
    without_tools: role.withoutTools,
    sandbox_mode: role.sandboxMode,
    approval_policy: role.approvalPolicy,
    model: role.model,
    reasoning_effort: role.reasoningEffort,
    max_turns: role.maxTurns,
    worktree: role.worktree,
  };
}
