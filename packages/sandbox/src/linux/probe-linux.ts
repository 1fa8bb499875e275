import { arch, userInfo } from "node:os";
import { startProcess, type Watchdog } from "@unroll/process-tree";
import { makeFolder } from "../files/make-folder.ts";
import { resolveIfAny } from "../files/path-facts.ts";
import { findProgram } from "../backend/find-program.ts";
import type { ProbeOptions } from "../backend/probe-sandbox.ts";
import type {
  BubblewrapBackend,
  LandlockBackend,
  SandboxBackend,
  UnavailableBackend,
} from "../backend/sandbox-backend.ts";
import type { InnerCommand, LaunchPlan } from "../plan/launch-plan.ts";
import { toWorkspace } from "../rules/workspace.ts";
import { parseBubblewrapStatus } from "./parse-bubblewrap-status.ts";
import { planBubblewrap, type ConfinementFacts } from "./plan-bubblewrap.ts";
import { planLandlock } from "./plan-landlock.ts";
import type { Architecture } from "./seccomp-program.ts";

/** Where the launchers are on any system, should PATH not say so. */
const SYSTEM_FOLDERS = "/usr/bin:/bin:/usr/local/bin";
const PROBE_LIMIT_MS = 10_000;

/** A probe ends before anybody could kill the harness. */
const UNWATCHED: Watchdog = { start: () => {}, watch: () => {}, forget: () => {}, close: async () => {} };

/** Every kind of rule once, on folders that every system has. */
const PROBE_FACTS: ConfinementFacts = {
  rules: [
    { type: "writable", path: "/tmp" },
    { type: "read-only", path: "/etc" },
    { type: "hidden-folder", path: "/var" },
  ],
  networkAccess: false,
  hasForeignRoot: false,
};

export async function probeLinux(options: ProbeOptions): Promise<SandboxBackend> {
  const architecture = toArchitecture(arch());
  if (architecture === undefined) {
    return {
      type: "unavailable",
      reason: `No system call filter is known for ${arch()}.`,
      remedy: "Approve each command, or use a machine with x64 or arm64.",
    };
  }
  const obstacle = makeFolder(options.stateFolder);
  if (obstacle !== undefined) {
    return {
      type: "unavailable",
      reason: `The folder for the sandbox's files, ${options.stateFolder}, cannot be had: ${obstacle}.`,
      remedy: "Make it a folder that you can write.",
    };
  }
  const bubblewrap = await probeBubblewrap(options, architecture);
  if (bubblewrap.type !== "unavailable" || !options.policy.allowWeaker) return bubblewrap;
  return (await probeLandlock(options, architecture, bubblewrap.reason)) ?? bubblewrap;
}

async function probeBubblewrap(
  options: ProbeOptions,
  architecture: Architecture,
): Promise<BubblewrapBackend | UnavailableBackend> {
  const file = findLauncher("bwrap", options);
  if (file === undefined) return explainMissingBubblewrap(options);
  const isRoot = userInfo().uid === 0;
  const backend: BubblewrapBackend = {
    type: "bubblewrap",
    file,
    architecture,
    isRoot,
    withUserNamespace: true,
    withoutUserNamespace: isRoot,
  };
  const harmless: InnerCommand = { argv: [file, "--version"], cwd: "/", environment: {}, hasTerminal: false };
  const attempt = (userNamespace: boolean): Promise<string | undefined> =>
    tryOut(planBubblewrap(harmless, PROBE_FACTS, { ...backend, withUserNamespace: userNamespace }), options);
  const [failure, failureOfRoot] = await Promise.all([attempt(true), isRoot ? attempt(false) : undefined]);
  const withoutUserNamespace = isRoot && failureOfRoot === undefined;
  if (failure === undefined) return { ...backend, withoutUserNamespace };
  if (withoutUserNamespace) return { ...backend, withUserNamespace: false, withoutUserNamespace };
  return { type: "unavailable", reason: `${file} fails: ${failure}.`, remedy: adviseOn(failure) };
}

function explainMissingBubblewrap({ environment }: ProbeOptions): UnavailableBackend {
  const unsafe = findProgram("bwrap", toSearchPath(environment), []);
  if (unsafe === undefined) {
    return {
      type: "unavailable",
      reason: "The program bwrap was not found.",
      remedy: "Install it: apt-get install bubblewrap, dnf install bubblewrap or pacman -S bubblewrap.",
    };
  }
  return {
    type: "unavailable",
    reason: `The program ${unsafe} lies in a folder that commands may write, so they could replace it.`,
    remedy: "Work in a folder that does not hold it, such as the project's own, and leave it out of writable_roots.",
  };
}

async function probeLandlock(
  options: ProbeOptions,
  architecture: Architecture,
  reason: string,
): Promise<LandlockBackend | undefined> {
  const file = findLauncher("perl", options);
  if (file === undefined) return undefined;
  const backend: LandlockBackend = { type: "landlock", file, architecture, reason };
  const harmless: InnerCommand = { argv: [file, "-e", "1"], cwd: "/", environment: {}, hasTerminal: false };
  const failure = await tryOut(planLandlock(harmless, PROBE_FACTS, backend), options);
  return failure === undefined ? backend : undefined;
}

function findLauncher(name: string, options: ProbeOptions): string | undefined {
  const { folder, temporaryFolder } = toWorkspace(options, options.environment);
  const writable = [folder, ...options.policy.writableRoots, "/tmp", ...(temporaryFolder ? [temporaryFolder] : [])];
  return findProgram(
    name,
    toSearchPath(options.environment),
    writable.flatMap((path) => resolveIfAny(path) ?? []),
  );
}

function toSearchPath(environment: ProbeOptions["environment"]): string {
  return `${environment["PATH"] ?? ""}:${SYSTEM_FOLDERS}`;
}

/** Returns what went wrong, in the launcher's own words; nothing when all went well. */
async function tryOut(plan: LaunchPlan, { stateFolder, createId }: ProbeOptions): Promise<string | undefined> {
  const start = await startProcess(
    { ...plan, marker: createId() },
    { type: "output" },
    {
      timeoutMs: PROBE_LIMIT_MS,
      maxOutputBytes: 1_000,
      signal: new AbortController().signal,
      now: () => 0,
      watchdog: UNWATCHED,
      stateFolder,
      findInit: (status) => parseBubblewrapStatus(status).init ?? null,
    },
  );
  if (start.type === "failed") return start.message;
  const { output } = start.process;
  let next = await output.next();
  while (next.done !== true) next = await output.next();
  const { reason, exit, output: captured } = next.value;
  if (exit?.exitCode === 0) return undefined;
  return captured.text.trim() || (reason === "timed_out" ? "it does not end" : `it exits with ${exit?.exitCode}`);
}

function adviseOn(failure: string): string {
  if (/namespace|uid map|RTM_NEWADDR|RTM_NEWLINK|Operation not permitted|No space left/i.test(failure)) {
    return (
      "User namespaces seem to be refused. On Ubuntu 24.04 and later, allow them for bwrap with an AppArmor profile " +
      "(apt-get install apparmor-profiles; cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/; " +
      "apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict). In a container, start it with " +
      "--security-opt seccomp=unconfined, or work without the inner sandbox. Elsewhere, see " +
      "sysctl user.max_user_namespaces and kernel.unprivileged_userns_clone. Or accept a weaker sandbox: " +
      "set sandbox.allow_weaker = true."
    );
  }
  return "Update bubblewrap to 0.8 or later, or accept a weaker sandbox: set sandbox.allow_weaker = true.";
}

function toArchitecture(name: string): Architecture | undefined {
  return name === "x64" || name === "arm64" ? name : undefined;
}
