import { arch } from "node:os";
import { noPathMemory, readTextIfAny } from "@unroll/files";
import { drain } from "@unroll/flow";
import {
  findShell,
  requireShell,
  spawnChild,
  startProcess,
  systemFolders,
  type Watchdog,
  findOwnUser,
} from "@unroll/process-tree";
import type { SandboxPolicy } from "@unroll/protocol";
import { findSpareFolder } from "../files/find-state-folder.ts";
import { makeFolder } from "../files/make-folder.ts";
import type {
  Architecture,
  BubblewrapBackend,
  LandlockBackend,
  SandboxBackend,
  UnavailableBackend,
} from "../plan/sandbox-backend.ts";
import type { InnerCommand, LaunchPlan } from "../plan/launch-plan.ts";
import { parseBubblewrapStatus } from "../plan/linux/parse-bubblewrap-status.ts";
import { planBubblewrap, type ConfinementFacts } from "../plan/linux/plan-bubblewrap.ts";
import { planLandlock } from "../plan/linux/plan-landlock.ts";
import { isShortage } from "../runner/is-shortage.ts";
import { adviseInstalled, adviseOn, adviseWeaker, fullAccess } from "./advise.ts";
import { findBubblewrap, notFound } from "./find-bubblewrap.ts";
import { findPlace, type Place } from "./find-place.ts";
import { tryNamespaces } from "./try-namespaces.ts";
import { findLauncher } from "../plan/find-launcher.ts";
import { listWritable } from "./list-writable.ts";
import type { ProbeOptions } from "./probe-options.ts";

const probeLimitMs = 10_000;

/** How bwrap fails where a new `/proc` would show what the container's own hides. */
const noProc = "mount proc";

/** A probe ends before anyone could kill the harness. */
const unwatched: Watchdog = {
  start: () => {},
  spawn: (launch, connection, { fds }) => spawnChild(launch, connection, fds),
  place: (launch) => launch,
  lendChannel: async () => null,
  watch: () => {},
  forget: () => {},
  close: async () => {},
};

/** One rule of every kind, on folders that every system has. */
function toProbeFacts(policy: SandboxPolicy): ConfinementFacts {
  return {
    paths: noPathMemory,
    rules: [
      { type: "writable", path: "/tmp" },
      { type: "read-only", path: "/etc" },
      { type: "hidden-folder", path: "/var" },
    ],
    networkAccess: false,
    hostLauncher: null,
    limits:
      policy.mode === "danger-full-access"
        ? { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null }
        : policy.limits,
    hasForeignRoot: false,
  };
}

export async function probeLinux(options: ProbeOptions): Promise<SandboxBackend> {
  const architecture = toArchitecture(arch());
  if (architecture === null) {
    return {
      type: "unavailable",
      reason: `No system call filter is known for ${arch()}.`,
      remedy: "Approve each command, or use a machine with x64 or arm64.",
    };
  }
  const obstacle = makeFolder(options.stateFolder);
  if (obstacle !== null) {
    return {
      type: "unavailable",
      // structure-ignore idioms: the model gets it with a refused command
      reason: `The folder for the sandbox's files, ${options.stateFolder}, cannot be used: ${obstacle}.`,
      remedy: "Make it a folder that you can write.",
    };
  }
  if (findShell() === null) {
    return {
      type: "unavailable",
      reason: `No shell in ${systemFolders.join(", ")} belongs to root alone, and the sandbox is started by one.`,
      remedy: "Give the system's folders back to root, or approve each command.",
    };
  }
  const bubblewrap = await probeBubblewrap(options, architecture);
  // A shortage ends, and would spoil this attempt, too.
  if (bubblewrap.type !== "unavailable" || isShortage(bubblewrap.reason)) return bubblewrap;
  const place = findPlace(options.environment);
  const [advice, weaker] = await Promise.all([
    describeNamespaces(bubblewrap, place),
    probeLandlock(options, architecture),
  ]);
  const full = [bubblewrap.remedy, ...advice];
  const end = place === "container" ? [fullAccess] : [];
  if (typeof weaker !== "string" && acceptsWeaker(options.policy))
    return { ...weaker, reason: bubblewrap.reason, remedy: toText([...full, ...end]) };
  return { ...bubblewrap, remedy: toText([...full, adviseWeaker(weaker), ...end]) };
}

/** A program that is missing would not be the last obstacle where namespaces are refused. */
async function describeNamespaces({ reason }: UnavailableBackend, place: Place): Promise<readonly string[]> {
  return reason.startsWith(notFound) ? adviseInstalled(await tryNamespaces(), place) : [];
}

function toText(sentences: readonly string[]): string {
  return sentences.filter(Boolean).join(" ");
}

async function probeBubblewrap(
  options: ProbeOptions,
  architecture: Architecture,
): Promise<BubblewrapBackend | UnavailableBackend> {
  const file = findBubblewrap(options);
  if (typeof file === "object") return file;
  const isRoot = findOwnUser().uid === 0;
  const backend: BubblewrapBackend = {
    type: "bubblewrap",
    file,
    architecture,
    isRoot,
    hasFreeProcesses: isRoot && isMachineRoot(),
    withUserNamespace: true,
    withoutUserNamespace: isRoot,
    hasOwnProc: true,
  };
  const harmless: InnerCommand = { argv: [requireShell(), "-c", ":"], cwd: "/", environment: {}, hasTerminal: false };
  // Async, so that an error in one attempt does not leave the other one running.
  const attempt = async (way: Partial<BubblewrapBackend>): Promise<string | null> =>
    tryOut(planBubblewrap(harmless, toProbeFacts(options.policy), { ...backend, ...way }), options);
  const [failure, failureOfRoot] = await Promise.all([
    attempt({}),
    isRoot ? attempt({ withUserNamespace: false }) : null,
  ]);
  const withoutUserNamespace = isRoot && failureOfRoot === null;
  if (failure === null) return { ...backend, withoutUserNamespace };
  if (withoutUserNamespace) return { ...backend, withUserNamespace: false, withoutUserNamespace };
  const bound = { withoutUserNamespace: false, hasOwnProc: false };
  if (failure.includes(noProc) && (await attempt(bound)) === null) return { ...backend, ...bound };
  const remedy = adviseOn(failure, findPlace(options.environment));
  return { type: "unavailable", reason: `${file} fails: ${failure.replace(/\.$/, "")}.`, remedy };
}

/** Inside another user's container, root is an ordinary user with limits. */
function isMachineRoot(): boolean {
  return /^\s*0\s+0\s+4294967295$/.test((readTextIfAny("/proc/self/uid_map") ?? "").trimEnd());
}

/** Returns why it does not work. */
async function probeLandlock(options: ProbeOptions, architecture: Architecture): Promise<LandlockBackend | string> {
  const file = findLauncher("perl", listWritable(options));
  if (file === null) return "it needs the system's perl, in a folder that commands cannot write";
  const backend: LandlockBackend = { type: "landlock", file, architecture, reason: "", remedy: "" };
  const harmless: InnerCommand = { argv: [file, "-e", "1"], cwd: "/", environment: {}, hasTerminal: false };
  const failure = await tryOut(planLandlock(harmless, toProbeFacts(options.policy), backend), options);
  return failure ?? backend;
}

function acceptsWeaker(policy: SandboxPolicy): boolean {
  return policy.mode !== "danger-full-access" && policy.allowWeaker;
}

/** Returns the launcher's own error message; null: it worked. */
async function tryOut(plan: LaunchPlan, { stateFolder, environment, createId }: ProbeOptions): Promise<string | null> {
  const start = await startProcess(
    { ...plan, marker: createId() },
    { type: "output" },
    {
      timeoutMs: probeLimitMs,
      maxOutputBytes: 1_000,
      signal: new AbortController().signal,
      elapsed: () => 0,
      watchdog: unwatched,
      stateFolder,
      spareFolder: findSpareFolder(environment),
      findInit: (status) => parseBubblewrapStatus(status).init,
    },
  );
  if (start.type === "failed") return start.message;
  const { reason, exit, output: captured } = await drain(start.process.output);
  if (exit?.exitCode === 0) return null;
  return captured.text.trim() || (reason === "timed_out" ? "it does not end" : `it exits with ${exit?.exitCode}`);
}

function toArchitecture(name: string): Architecture | null {
  return name === "x64" || name === "arm64" ? name : null;
}
