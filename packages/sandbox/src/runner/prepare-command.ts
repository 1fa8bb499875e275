import { join } from "node:path";
import { type PathMemory, withKnownPaths } from "@unroll/files";
import { toCommandFile } from "@unroll/process-tree";
import type { CommandLimits, ConfinedPolicy } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import { makeFolder } from "../files/make-folder.ts";
import { openAgentFolderGuard } from "../guard/agent-folder-guard.ts";
import { openFolderWatch, type FolderWatch } from "../guard/folder-watch.ts";
import { createGitGuard } from "../guard/git-guard.ts";
import { createPlaceholderRegistry } from "../guard/placeholder-registry.ts";
import { confineCommand } from "../plan/confine-command.ts";
import type { InnerCommand, LaunchPlan } from "../plan/launch-plan.ts";
import type { PathRule } from "../policy/path-rule.ts";
import { listWorkRoots } from "../plan/workspace-rules.ts";
import type { SandboxBackend } from "../plan/sandbox-backend.ts";
import { findLauncher } from "../plan/find-launcher.ts";
import type { HostDoor } from "./host-door.ts";
import type { ConfinedCommand } from "./to-outcome.ts";

export type Preparation = PreparedCommand | Refusal;

/** The command was not run. */
interface Refusal {
  readonly type: "refused";
  /** A sentence, without its beginning that the command was not run. */
  readonly reason: string;
}

/** A command that is ready to start. */
export interface PreparedCommand {
  readonly type: "prepared";
  readonly plan: LaunchPlan;
  /** Null: it reaches no hosts by name. */
  readonly door: HostDoor | null;
  /** Null: the command runs outside any sandbox. */
  readonly confined: ConfinedCommand | null;
  /** Call it once, after the command has ended. Returns what had to be repaired, in sentences. */
  readonly settle: () => Promise<readonly string[]>;
}

/** Prepares the sandbox for commands, and cleans up after them. */
export interface CommandPreparer {
  /** Looks at the workspace before the first command does, which then waits less. */
  readonly begin: () => Promise<void>;
  readonly prepare: (command: InnerCommand, means: CommandMeans) => Promise<Preparation>;
  /** Removes at once what is only kept for a next command. */
  readonly clearUp: () => Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** The means of one command, besides its policy. */
interface CommandMeans {
  /** The limits that the command sets for itself. */
  readonly limits: CommandLimits;
  /** Null: it reaches no hosts by name. */
  readonly door: HostDoor | null;
}

export interface PreparerOptions {
  readonly policy: ConfinedPolicy;
  readonly backend: SandboxBackend;
  readonly stateFolder: string;
  /** `$HOME` of the commands; null: they have none. */
  readonly home: string | null;
  /** Distinguishes this preparer's files in the state folder from others'. */
  readonly name: string;
  readonly paths: PathMemory;
}

export function createCommandPreparer(options: PreparerOptions): CommandPreparer {
  const { policy, backend, stateFolder, paths } = options;
  const placeholders = createPlaceholderRegistry(stateFolder, options.name);
  const clockFile = join(stateFolder, `${options.name}.clock`);
  const gitGuard = createGitGuard({ clockFile, openWatch: findWatch(options) });

  async function prepare(command: InnerCommand, means: CommandMeans): Promise<Preparation> {
    let prepared: Preparation | null = null;
    try {
      prepared = await plan(command, means);
      return prepared;
    } finally {
      if (prepared?.type !== "prepared") await means.door?.close();
    }
  }

  async function plan(command: InnerCommand, { limits, door }: CommandMeans): Promise<Preparation> {
    const obstacle = makeFolder(stateFolder);
    if (obstacle !== null) {
      return refuse(stateFolder, obstacle);
    }
    const proxyPort = backend.type === "seatbelt" && door !== null ? await door.listen() : null;
    const confinement = withKnownPaths(() => {
      const confined = confineCommand(command, { ...options, limits, proxyPort });
      if (confined.type === "refused") return confined;
      const { rules, agentPaths } = confined.rules;
      paths.except(backend.type === "bubblewrap" ? rules.filter(isWritable).map(({ path }) => path) : ["/"]);
      const absent = rules.filter(({ type }) => type === "absent").map(({ path }) => path);
      const agentGuard = openAgentFolderGuard(agentPaths, new Set(absent));
      return { ...confined, agentGuard, acquiring: acquire(backend.type === "bubblewrap" ? absent : []) };
    });
    if (confinement.type === "refused") return confinement;
    const { rules, agentGuard, acquiring } = confinement;
    // Before the guard looks, and until it has looked again: they would be changes to it.
    const held = await acquiring;
    if (held.type === "refused") return held;
    try {
      await gitGuard.open(rules);
    } catch (error) {
      held.release();
      throw error;
    }
    return {
      type: "prepared",
      plan: confinement.plan,
      door,
      confined: { command, policy, backend: backend.type, rules: rules.rules, deniedHosts: door?.denials ?? noDenials },
      async settle() {
        try {
          await door?.close();
          return [...(door?.denials() ?? []), ...agentGuard.close(), ...(await gitGuard.close(rules))];
        } finally {
          held.release();
        }
      },
    };
  }

  async function acquire(paths: readonly string[]): Promise<Held | Refusal> {
    try {
      return { type: "held", release: await placeholders.acquire(paths) };
    } catch (error) {
      return refuse(stateFolder, describeThrown(error));
    }
  }

  async function begin(): Promise<void> {
    if (policy.mode === "read-only" || backend.type === "unavailable" || makeFolder(stateFolder) !== null) return;
    await gitGuard.begin(listWorkRoots(policy));
  }

  return {
    begin,
    prepare,
    clearUp: placeholders.removeIdle,
    async dispose() {
      await placeholders.close();
      gitGuard.dispose();
    },
  };
}

const noDenials = (): readonly string[] => [];

function isWritable({ type }: PathRule): boolean {
  return type === "writable";
}

interface Held {
  readonly type: "held";
  readonly release: () => void;
}

function refuse(folder: string, obstacle: string): Refusal {
  return { type: "refused", reason: `the sandbox keeps its files in ${folder}, which fails (${obstacle}).` };
}

/** There is no watch without a Perl that commands cannot replace. */
function findWatch({ policy, backend }: PreparerOptions): (() => FolderWatch) | null {
  if (backend.type !== "bubblewrap" || policy.mode === "read-only") return null;
  const { architecture } = backend;
  const perl = findLauncher(
    "perl",
    policy.roots.map(({ path }) => path),
  );
  return perl === null ? null : () => openFolderWatch({ perl, architecture });
}

/** The command as it is, without a sandbox: while it runs, anything may change. */
export function prepareUnconfined({ argv, cwd, environment }: InnerCommand, paths: PathMemory): PreparedCommand {
  const [program = "", ...args] = argv;
  const file = toCommandFile(program);
  const change = paths.suspend();
  return {
    type: "prepared",
    plan: { file, args, cwd, environment, inputs: [], reportsStatus: false, endsFirst: false },
    door: null,
    confined: null,
    async settle() {
      change[Symbol.dispose]();
      return [];
    },
  };
}
