import { accessSync, constants } from "node:fs";
import { dirname, resolve } from "node:path";
import type { CommandDenial, SandboxPolicy } from "@unroll/protocol";
import type { SandboxBackend } from "../backend/sandbox-backend.ts";
import { isInside, type PathRule } from "../rules/path-rule.ts";

/** What a confined command left for a judgement. */
export interface ConfinedRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Nothing when time ran out. */
  readonly exitCode: number | undefined;
  readonly text: string;
  readonly policy: SandboxPolicy;
  readonly backend: SandboxBackend["type"];
  readonly rules: readonly PathRule[];
}

/** Of a system call that the filter lets nobody make and that kills: 128 + SIGSYS. */
const SIGSYS_EXIT = 159;
const READ_ONLY = /read-only file system|\bEROFS\b|errno 30\b/i;
const BUSY_OR_ELSEWHERE = /device or resource busy|invalid cross-device link|\b(EBUSY|EXDEV)\b/i;
const NOT_PERMITTED = /operation not permitted|\bEPERM\b/i;
const NO_ACCESS = /permission denied|\bEACCES\b/i;
const UNREACHABLE =
  /network is unreachable|could not resolve|temporary failure in name resolution|name or service not known|(couldn't|could not|failed to) connect|connection refused|\b(EAI_AGAIN|ENOTFOUND|ENETUNREACH|ECONNREFUSED)\b/i;
/** They try again for minutes instead of failing. */
const PATIENT_CLIENTS = /^(npm|npx|pnpm|yarn|pip3?|uv|cargo|go|git|apt(-get)?|curl|wget)$/;

/** Whether the sandbox was, or may have been, why a command failed. Exit codes say nothing, so it goes by the text. */
export function classifyDenial(run: ConfinedRun): CommandDenial | undefined {
  if (run.exitCode === 0) return undefined;
  if (run.exitCode === undefined) return waitsForNetwork(run) ? denyNetwork(run) : undefined;
  return (
    findReadOnly(run) ??
    findProtected(run) ??
    (hasNetwork(run.policy) || !UNREACHABLE.test(run.text) ? undefined : denyNetwork(run)) ??
    findNoAccess(run) ??
    findNotPermitted(run)
  );
}

function findReadOnly(run: ConfinedRun): CommandDenial | undefined {
  const line = run.backend === "bubblewrap" ? findLine(run.text, READ_ONLY) : undefined;
  if (line === undefined) return undefined;
  const path = findPath(line, run.cwd);
  const isCertain = path !== undefined && ruleFor(path, run.rules)?.type !== "writable";
  return denyWrite(run, isCertain ? "certain" : "likely", path);
}

function findProtected(run: ConfinedRun): CommandDenial | undefined {
  const line = findLine(run.text, BUSY_OR_ELSEWHERE);
  const path = line === undefined ? undefined : findPath(line, run.cwd);
  const isProtected =
    path !== undefined && run.rules.some((rule) => rule.type !== "writable" && isInside(path, rule.path));
  const isTied = path !== undefined && run.rules.some((rule) => rule.path === path);
  return isProtected || isTied ? denyWrite(run, "likely", path) : undefined;
}

/** Ordinary file modes say the same, but they would say it to the harness as well. */
function findNoAccess(run: ConfinedRun): CommandDenial | undefined {
  const line = findLine(run.text, NO_ACCESS);
  if (line === undefined) return undefined;
  const path = findPath(line, run.cwd);
  if (path !== undefined && ruleFor(path, run.rules)?.type.startsWith("hidden")) {
    return {
      kind: "filesystem",
      confidence: "certain",
      path,
      reason: `The sandbox hides ${path} from commands (deny_read).`,
    };
  }
  const isSandbox = run.backend === "bubblewrap" ? path !== undefined && canWrite(path) : true;
  return isSandbox ? denyWrite(run, "likely", path) : undefined;
}

function findNotPermitted(run: ConfinedRun): CommandDenial | undefined {
  if (!NOT_PERMITTED.test(run.text) && run.exitCode !== SIGSYS_EXIT) return undefined;
  const sockets = hasNetwork(run.policy) ? "" : ", and no sockets but internet ones, which lead nowhere";
  return {
    kind: "process",
    confidence: "likely",
    reason: `The sandbox (${run.policy.mode}) allows no mounts, namespaces or looking into other processes${sockets}.`,
  };
}

function denyWrite(run: ConfinedRun, confidence: CommandDenial["confidence"], path: string | undefined): CommandDenial {
  const allowed =
    run.policy.mode === "read-only"
      ? "does not let commands write any file"
      : "lets commands write only in the workspace and temporary folders, without .codex, .agents and what decides over git";
  const reason = `The sandbox (${run.policy.mode}) ${allowed}.`;
  return { kind: "filesystem", confidence, ...(path !== undefined && { path }), reason };
}

function denyNetwork({ policy }: ConfinedRun): CommandDenial {
  const reason = `The sandbox (${policy.mode}) gives commands no network; this is policy, not an outage.`;
  return { kind: "network", confidence: "likely", reason };
}

function waitsForNetwork({ argv, policy, text }: ConfinedRun): boolean {
  const words = argv.flatMap((argument) => argument.split(/[\s;&|]+/)).map((word) => word.split("/").at(-1) ?? "");
  return !hasNetwork(policy) && (UNREACHABLE.test(text) || words.some((word) => PATIENT_CLIENTS.test(word)));
}

function hasNetwork({ mode, networkAccess }: SandboxPolicy): boolean {
  return mode === "workspace-write" && networkAccess;
}

function findLine(text: string, pattern: RegExp): string | undefined {
  return text.split("\n").find((line) => pattern.test(line));
}

/** Messages quote paths in many ways; a relative one counts from where the command began. */
function findPath(line: string, cwd: string): string | undefined {
  const path = /(?:^|[\s'"‘`(:=])(\.{0,2}\/[^\s'"’`:;,)]+|\.(?:git|codex|agents)(?:\/[^\s'"’`:;,)]*)?)/.exec(line)?.[1];
  return path === undefined ? undefined : resolve(cwd, path);
}

function ruleFor(path: string, rules: readonly PathRule[]): PathRule | undefined {
  return rules.findLast((rule) => isInside(path, rule.path));
}

function canWrite(path: string): boolean {
  return [path, dirname(path)].some((candidate) => {
    try {
      accessSync(candidate, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  });
}
