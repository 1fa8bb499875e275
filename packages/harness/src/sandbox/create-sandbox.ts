import { setImmediate as nextTurn } from "node:timers/promises";
import { listSecretValues, type ResolvedConfig } from "@unroll/config";
import { createPathMemory, noPathMemory, type PathMemory } from "@unroll/files";
import { once } from "@unroll/flow";
import type { HostLists, SandboxPolicy, SandboxReport, SandboxSettings, ThreadWorktree } from "@unroll/protocol";
import {
  boundPolicy,
  boundToWorktree,
  createCommandRunner,
  createProfileFilter,
  explainSandbox,
  filterEnvironment,
  findRefusal,
  findStateFolder,
  fullAccess,
  hostVariables,
  isShortage,
  probeSandbox,
  reportSandbox,
  resolveHostPresets,
  resolveSandboxPolicy,
  type SandboxBackend,
  type SandboxExplanation,
  type SandboxPlace,
  type SandboxRunner,
} from "@unroll/sandbox";
import { HarnessError } from "../harness-error.ts";
import type { Host } from "../host/host.ts";
import { makeStateFolder } from "../host/state-folder.ts";
import { exclude, limitVariables } from "./place-variables.ts";
import type { ThreadHosts } from "./thread-hosts.ts";
import type { LoginShellSharing } from "./login-shell-sharing.ts";

/** The sandbox of a thread's commands. The machine is probed when first needed, once. */
export interface Sandbox extends AsyncDisposable {
  /** The permissions of commands and patches. */
  readonly policy: SandboxPolicy;
  /**
   * The permissions of patches if you approve all edits of a thread: of a read-only sandbox, as if its
   * settings said workspace-write; of any other, its own.
   */
  readonly editPolicy: () => SandboxPolicy;
  /** For the user: folders of the config that cannot be used. */
  readonly warnings: readonly string[];
  /** The `PATH` of commands, before the user's profile changes it. */
  readonly searchPath: string;
  /** Remembers, from one command to the next, places that no command in a sandbox can change. */
  readonly paths: PathMemory;
  /**
   * Opens a runner for commands under the policy. The caller does not close it: disposing the
   * sandbox does.
   */
  openRunner(): Promise<SandboxRunner>;
  /**
   * Opens the runner of a sandbox in which commands can write, and lets it look at the workspace.
   * Call it while the model answers: the first command waits less then. Never rejects.
   */
  begin(): Promise<void>;
  /** Removes what a runner left for a next command. Call it when a turn ends. Never rejects. */
  rest(): Promise<void>;
  /** Finds the mechanism that confines commands here, and its gaps. */
  report(): Promise<SandboxReport>;
  /** The last result of `report`, or what a runner found; null: nobody looked yet. */
  readonly reported: SandboxReport | null;
  /** Finds why every command would be refused now, and what to do, as a clause; null: they would run. */
  findRefusal(): Promise<string | null>;
  /** Explains what is enforced, what is not, and how, for the user. */
  explain(): Promise<SandboxExplanation>;
}

/** The policies of a sandbox, which limit those of others. */
export type SandboxBounds = Pick<Sandbox, "policy" | "editPolicy">;

/** The context that sandboxes share. */
interface SandboxSurroundings {
  /** The sandbox of a parent, whose folders limit these. Absent: there is none. */
  readonly within?: SandboxBounds;
  /** Null: commands write where the settings say. */
  readonly worktree: ThreadWorktree | null;
  readonly backends: SandboxBackends;
  /** Null: each login shell runs the user's profile. */
  readonly logins: LoginShellSharing | null;
  /** Called with a sentence for the user while commands run, once for each sentence. */
  readonly warn: (message: string) => void;
  readonly hosts: Pick<ThreadHosts, "rules" | "toPorts">;
}

/** `openSandbox`, synchronously. */
export function createSandbox(config: ResolvedConfig, host: Host, around: SandboxSurroundings): Sandbox {
  const { cwd, codexHome, sandboxSettings } = config;
  const { within, worktree, backends, logins, warn, hosts } = around;
  const shellEnvironmentPolicy = limitVariables(config.shellEnvironmentPolicy, worktree);
  const credentials = { names: config.secretNames, values: listSecretValues(config, host.env) };
  const environment = filterEnvironment(host.env, shellEnvironmentPolicy, credentials);
  /**
   * The program's own folder, and the one that all harnesses of the user share. A thread without a
   * sandbox, or without a command, needs none.
   */
  const folders = once(() => {
    const own = makeStateFolder(host);
    return { own, shared: findStateFolder(own) };
  });
  const place: SandboxPlace = {
    cwd,
    temporaryFolder: environment["TMPDIR"] ?? null,
    homeDirectory: host.homeDirectory,
    codexHome,
    get stateFolder() {
      return folders().shared;
    },
    get ownFolders() {
      return [folders().own, ...host.ownFolders];
    },
  };
  const named = settleHosts(sandboxSettings, host, hosts.rules());
  const { policy, warnings } = resolveWithin(named.settings, place, { worktree, parent: within?.policy ?? null });
  const network = policy.mode === "workspace-write" ? policy.network : null;
  const findEditPolicy = once((): SandboxPolicy => {
    if (policy.mode !== "read-only") return policy;
    const parent = within?.editPolicy() ?? null;
    return resolveWithin({ ...sandboxSettings, mode: "workspace-write" }, place, { worktree, parent }).policy;
  });

  const paths = shareMemory(policy, backends.paths);
  const confinement = holdBackend({ policy, home: environment["HOME"] ?? null }, async () => {
    const found = { stateFolder: folders().shared, bubblewrap: config.programs.bwrap };
    return backends.find({ policy, cwd, environment, createId: host.newId, ...found });
  });

  async function createRunner(): Promise<SandboxRunner> {
    const isConfined = policy.mode !== "danger-full-access";
    const backend = isConfined ? await confinement.findFree() : null;
    const created = createCommandRunner({
      policy,
      environment,
      ...(backend && { sandbox: { backend, stateFolder: folders().shared } }),
      elapsed: () => host.elapsed(),
      createId: host.newId,
      warn,
      paths: backends.paths,
      ...(network?.type === "hosts" && { hosts: hosts.toPorts(network) }),
    });
    if (logins === null) return created;
    // A profile must not lead commands past the proxy that is their only way out.
    const isProxied = network?.type === "hosts";
    const profilePolicy = isProxied ? exclude(shellEnvironmentPolicy, hostVariables) : shellEnvironmentPolicy;
    return logins.wrap(created, {
      environment,
      walls: isConfined ? JSON.stringify(policy) : null,
      filter: createProfileFilter(host.env, profilePolicy, credentials),
      filterId: JSON.stringify([profilePolicy, credentials]),
      paths,
      warn: tellOnce(warn),
    });
  }

  const runner = holdRunner(createRunner);
  return {
    policy,
    editPolicy: findEditPolicy,
    warnings: [...warnings, ...named.warnings],
    searchPath: environment["PATH"] ?? "",
    paths,
    ...runner,
    begin: async () => (policy.mode === "workspace-write" ? runner.begin() : undefined),
    report: confinement.report,
    get reported() {
      return confinement.reported;
    },
    findRefusal: confinement.findRefusal,
    explain: async () =>
      explainSandbox({ policy, cwd, environment, createId: host.newId, backend: await confinement.find() }),
  };
}

/** Where every command may change anything, nothing is remembered. */
function shareMemory(policy: SandboxPolicy, paths: PathMemory): PathMemory {
  if (policy.mode === "workspace-write") paths.except(policy.roots.map(({ path }) => path));
  return policy.mode === "danger-full-access" ? noPathMemory : paths;
}

interface PolicyBounds {
  readonly worktree: ThreadWorktree | null;
  /** Null: there is none. */
  readonly parent: SandboxPolicy | null;
}

function resolveWithin(
  settings: SandboxSettings,
  place: SandboxPlace,
  { worktree, parent }: PolicyBounds,
): ReturnType<typeof resolveSandboxPolicy> {
  const { policy, warnings } = resolveSandboxPolicy(settings, place);
  if (worktree !== null) return { policy: boundToWorktree(policy, worktree, parent), warnings };
  return { policy: parent === null ? policy : boundPolicy(policy, parent), warnings };
}

/** The hosts of the settings and of the user's rules, as one list. A rule that allows one opens the way by itself. */
function settleHosts(
  settings: SandboxSettings,
  host: Host,
  rules: HostLists,
): { readonly settings: SandboxSettings; readonly warnings: readonly string[] } {
  const isOpen = settings.networkAccess && !settings.hosts;
  const opens = settings.hosts !== undefined || rules.allow.length > 0;
  if (settings.mode !== "workspace-write" || isOpen || !opens) return { settings, warnings: [] };
  const { lists, warnings } = resolveHostPresets(settings.hosts ?? { allow: [], deny: [] }, host);
  const { allow, deny, ask = [] } = rules;
  const hosts = {
    allow: [...new Set([...lists.allow, ...allow])],
    deny: [...new Set([...lists.deny, ...deny])],
    ...(ask.length > 0 && { ask }),
  };
  return { settings: { ...settings, hosts }, warnings };
}

interface HeldBackend extends Pick<Sandbox, "report" | "reported" | "findRefusal"> {
  readonly find: () => Promise<SandboxBackend>;
  /** A sandbox that fails only for a shortage fails one command, and is probed again for the next. */
  readonly findFree: () => Promise<SandboxBackend>;
}

/** Remembers what the last look found. */
function holdBackend(
  { policy, home }: { readonly policy: SandboxPolicy; readonly home: string | null },
  look: () => Promise<SandboxBackend>,
): HeldBackend {
  let reported = policy.mode === "danger-full-access" ? fullAccess : null;

  async function find(): Promise<SandboxBackend> {
    const backend = await look();
    reported = reportSandbox(policy, backend);
    return backend;
  }

  return {
    find,
    async findFree() {
      const backend = await find();
      if (isShort(backend)) throw new HarnessError("sandbox_unavailable", backend.reason);
      return backend;
    },
    report: async () => (policy.mode === "danger-full-access" ? fullAccess : reportSandbox(policy, await find())),
    findRefusal: async () =>
      policy.mode === "danger-full-access" ? null : findRefusal({ policy, backend: await find(), home }),
    get reported() {
      return reported;
    },
  };
}

/** One runner, made when it is first needed. */
function holdRunner(
  create: () => Promise<SandboxRunner>,
): Pick<Sandbox, "openRunner" | "begin" | "rest" | typeof Symbol.asyncDispose> {
  let runner: Promise<SandboxRunner> | null = null;
  let isDisposed = false;

  /** A failure (too few open files) may be over at the next command. */
  function forget(error: unknown): never {
    runner = null;
    throw error;
  }

  const openRunner = async (): Promise<SandboxRunner> => (runner ??= create().catch(forget));
  return {
    openRunner,
    async begin() {
      // The request goes first.
      await nextTurn();
      if (isDisposed || runner !== null) return;
      await openRunner().then(
        (opened) => opened.begin(),
        () => {}, // the first command reports it
      );
    },
    async rest() {
      const opened = await runner?.catch(() => null);
      await opened?.rest();
    },
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      const opened = await runner?.catch(() => null); // the caller got the error
      await opened?.[Symbol.asyncDispose]();
    },
  };
}

function isShort(backend: SandboxBackend): backend is Extract<SandboxBackend, { readonly type: "unavailable" }> {
  return backend.type === "unavailable" && isShortage(backend.reason);
}

function tellOnce(warn: (message: string) => void): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (!told.has(message)) warn(message);
    told.add(message);
  };
}

type ProbeOptions = Parameters<typeof probeSandbox>[0];

/** The sandboxes that work here, probed once for each policy and place, for any number of threads. */
export interface SandboxBackends {
  /** For all of their commands. */
  readonly paths: PathMemory;
  find(options: ProbeOptions): Promise<SandboxBackend>;
}

export function createSandboxBackends(): SandboxBackends {
  const found = new Map<string, Promise<SandboxBackend>>();

  /** A failed probe (too few open files) is repeated the next time. */
  async function look(key: string, options: ProbeOptions): Promise<SandboxBackend> {
    let backend: SandboxBackend | null = null;
    try {
      backend = await probeSandbox(options);
      return backend;
    } finally {
      if (backend === null || isShort(backend)) found.delete(key);
    }
  }

  return {
    paths: createPathMemory(),
    find(options) {
      const { policy, cwd, stateFolder, environment, bubblewrap } = options;
      const key = JSON.stringify([policy, cwd, stateFolder, environment, bubblewrap]);
      const looking = found.get(key) ?? look(key, options);
      found.set(key, looking);
      return looking;
    },
  };
}
