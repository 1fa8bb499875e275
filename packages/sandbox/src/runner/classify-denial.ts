import { isInside, mayAccess } from "@unroll/files";
import { constants } from "node:fs";
import { dirname, resolve } from "node:path";
import type { CommandDenial, ConfinedPolicy } from "@unroll/protocol";
import type { SandboxBackend } from "../plan/sandbox-backend.ts";
import { findRule, type PathRule } from "../policy/path-rule.ts";

/** A finished command, for a judgement. */
export interface ConfinedRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Null: it timed out. */
  readonly exitCode: number | null;
  readonly text: string;
  readonly policy: ConfinedPolicy;
  readonly backend: SandboxBackend["type"];
  readonly rules: readonly PathRule[];
  /** The hosts that were denied to it, in sentences. */
  readonly deniedHosts: readonly string[];
}

/** The exit code after a system call that is denied to everyone and kills: 128 + SIGSYS. */
const sigsysExit = 159;
const readOnlyText = /read-only file system|\bEROFS\b|errno 30\b/i;
const busyText = /device or resource busy|invalid cross-device link|\b(EBUSY|EXDEV)\b/i;
const notPermittedText = /operation not permitted|\bEPERM\b/i;
const noAccessText = /permission denied|\bEACCES\b/i;
const unreachableText =
  /network is unreachable|could not resolve|temporary failure in name resolution|name or service not known|(couldn't|could not|failed to) connect|connection refused|\b(EAI_AGAIN|ENOTFOUND|ENETUNREACH|ECONNREFUSED)\b/i;
/** They retry for minutes instead of failing. */
const patientClients = /^(npm|npx|pnpm|yarn|pip3?|uv|cargo|go|git|apt(-get)?|curl|wget)$/;

/**
 * Whether the sandbox was, or may have been, why a command failed. Exit codes do not tell, so it
 * reads the output.
 */
export function classifyDenial(run: ConfinedRun): CommandDenial | null {
  if (run.exitCode === 0) return null;
  if (run.exitCode === null) return waitsForNetwork(run) ? denyNetwork(run) : findDeniedHost(run);
  return (
    findReadOnly(run) ??
    findProtected(run) ??
    findDeniedHost(run) ??
    (hasNetwork(run.policy) || !unreachableText.test(run.text) ? null : denyNetwork(run)) ??
    findNoAccess(run) ??
    findNotPermitted(run)
  );
}

function findReadOnly(run: ConfinedRun): CommandDenial | null {
  const line = run.backend === "bubblewrap" ? findLine(run.text, readOnlyText) : null;
  if (line === null) return null;
  const path = findPath(line, run.cwd);
  const isCertain = path !== null && findRule(path, run.rules)?.type !== "writable";
  return denyWrite(run, isCertain ? "certain" : "likely", path);
}

function findProtected(run: ConfinedRun): CommandDenial | null {
  const line = findLine(run.text, busyText);
  const path = line === null ? null : findPath(line, run.cwd);
  const isProtected = path !== null && run.rules.some((rule) => rule.type !== "writable" && isInside(path, rule.path));
  const isTied = path !== null && run.rules.some((rule) => rule.path === path);
  return isProtected || isTied ? denyWrite(run, "likely", path) : null;
}

/** Ordinary file permissions give the same error, but would give it to the harness as well. */
function findNoAccess(run: ConfinedRun): CommandDenial | null {
  const line = findLine(run.text, noAccessText);
  if (line === null) return null;
  const path = findPath(line, run.cwd);
  if (path !== null && findRule(path, run.rules)?.type.startsWith("hidden")) {
    return {
      kind: "filesystem",
      confidence: "certain",
      path,
      reason: `The sandbox hides ${path} from commands (deny_read).`,
    };
  }
  // Writing into a new folder of the sandbox gives this error.
  if (run.backend === "bubblewrap" && path !== null && isOwnFolder(findRule(path, run.rules))) {
    return denyWrite(run, "certain", path);
  }
  const isSandbox = run.backend === "bubblewrap" ? path !== null && mayWrite(path) : true;
  return isSandbox ? denyWrite(run, "likely", path) : null;
}

function findNotPermitted(run: ConfinedRun): CommandDenial | null {
  if (!notPermittedText.test(run.text) && run.exitCode !== sigsysExit) return null;
  const sockets = hasNetwork(run.policy)
    ? ""
    : ", and of sockets only connected pairs and internet ones, which lead nowhere";
  return {
    kind: "process",
    confidence: "likely",
    reason: `The sandbox (${run.policy.mode}) allows no mounts, namespaces, set-user-ID or set-group-ID files or looking into other processes${sockets}.`,
  };
}

function findDeniedHost({ deniedHosts }: ConfinedRun): CommandDenial | null {
  if (deniedHosts.length === 0) return null;
  return { kind: "network", confidence: "likely", reason: deniedHosts.join(" ") };
}

function isOwnFolder(rule: PathRule | null): boolean {
  return rule?.type === "absent" || rule?.type === "veiled-folder" || rule?.type === "shown-copy";
}

function denyWrite(run: ConfinedRun, confidence: CommandDenial["confidence"], path: string | null): CommandDenial {
  const allowed =
    run.policy.mode === "read-only"
      ? "does not let commands write any file"
      : "lets commands write only in the workspace and temporary folders, without .codex, .agents and what decides over git";
  const reason = `The sandbox (${run.policy.mode}) ${allowed}.`;
  return { kind: "filesystem", confidence, ...(path !== null && { path }), reason };
}

function denyNetwork({ policy }: ConfinedRun): CommandDenial {
  if (policy.network.type === "hosts") {
    const reason = `The sandbox (${policy.mode}) lets commands reach single hosts, by the proxy in HTTP_PROXY alone, which this one seems not to use.`;
    return { kind: "network", confidence: "likely", reason };
  }
  const reason = `The sandbox (${policy.mode}) gives commands no network; this is policy, not an outage.`;
  return { kind: "network", confidence: "likely", reason };
}

function waitsForNetwork({ argv, policy, text }: ConfinedRun): boolean {
  const words = argv.flatMap((argument) => argument.split(/[\s;&|]+/)).map((word) => word.split("/").at(-1) ?? "");
  const isSilent = policy.network.type === "closed" && words.some((word) => patientClients.test(word));
  return !hasNetwork(policy) && (isSilent || unreachableText.test(text));
}

function hasNetwork({ network }: ConfinedPolicy): boolean {
  return network.type === "open";
}

function findLine(text: string, pattern: RegExp): string | null {
  return text.split("\n").find((line) => pattern.test(line)) ?? null;
}

/** Programs quote paths in many ways. A relative path counts from the command's working folder. */
function findPath(line: string, cwd: string): string | null {
  const path = /(?:^|[\s'"‘`(:=])(\.{0,2}\/[^\s'"’`:;,)]+|\.(?:git|codex|agents)(?:\/[^\s'"’`:;,)]*)?)/.exec(line)?.[1];
  return path === undefined ? null : resolve(cwd, path);
}

function mayWrite(path: string): boolean {
  return [path, dirname(path)].some((candidate) => mayAccess(candidate, constants.W_OK));
}
