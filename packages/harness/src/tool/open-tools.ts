import { join } from "node:path";
import { createNodePatchFiles } from "@unroll/apply-patch/node";
import { createCallGate, createGitReader, findMcpApprovalMode, type RuleStore } from "@unroll/approval";
import { createRuleFolderTest, createShadowTest, createWritableRoots } from "@unroll/approval/node";
import type { ToolRuntime } from "@unroll/core";
import type {
  FunctionToolSpec,
  McpServerConfig,
  RequestHead,
  ThreadEvent,
  ThreadNotes,
  WritableRoot,
} from "@unroll/protocol";
import { canRead, isAsTight } from "@unroll/sandbox";
import type { SecretMask } from "@unroll/text";
import {
  type AfterCall,
  type BackgroundCommands,
  type BuiltinToolName,
  type BuiltinToolOptions,
  builtinToolNames,
  type CallableTool,
  type CallGate,
  createBuiltinTools,
  createBackgroundCommands,
  createToolRegistry,
  createToolRuntime,
  maskRunner,
  type CommandRunner,
  type PathAccess,
  type BackgroundCommandList,
  type BackgroundCommandRunner,
  type Tool,
  type UnlistedTools,
  type UserShell,
} from "@unroll/tools";
import { createNodeOutputFiles, type NodeOutputFiles } from "@unroll/tools/node";
import { takeCall } from "../check-options.ts";
import { createClock } from "../host/create-clock.ts";
import { readImageFile } from "./read-image-file.ts";
import type { Host } from "../host/host.ts";
import type { Executor } from "../host/executor.ts";
import { findStateFolder } from "../host/state-folder.ts";
import type { ThreadSettings } from "../settings/thread-settings.ts";
import { toReadGate } from "../sandbox/read-gate.ts";

/** Sessions are numbered from somewhere up to here, so that a resumed thread's old numbers find nothing. */
const maxFirstSessionId = 90_000;

/** Who is told of what happens between turns. */
interface ToldBetweenTurns {
  readonly isInTurn: () => boolean;
  tell(event: ThreadEvent): void;
}

export interface OpenToolsOptions {
  readonly threadId: string;
  readonly host: Host;
  /** Null: this one, with the sandbox of the settings. */
  readonly machine: Executor | null;
  readonly shell: UserShell;
  /** Read at each call. */
  readonly settings: ThreadSettings;
  readonly notes: ThreadNotes;
  /** Told between turns of commands that have ended. */
  readonly feed: ToldBetweenTurns;
  readonly book: RuleStore;
  /** Of the harness, which runs them: what they may is said where they come from. */
  readonly mcpServers: readonly McpServerConfig[];
  /** Puts another gate before, behind or in the place of the thread's own. */
  readonly wrapGate: (gate: CallGate) => CallGate;
  /** Puts the program's wrappers around the runner of commands. */
  readonly wrapRunner: (runner: CommandRunner & BackgroundCommandRunner) => CommandRunner & BackgroundCommandRunner;
  /** Null: nobody looks at results. */
  readonly afterCall: AfterCall | null;
  /** Which of the built-in ones there are; null: all. */
  readonly builtins: readonly BuiltinToolName[] | null;
  /** Of the program that uses the harness, and of MCP servers; behind the built-in ones. */
  readonly extra: readonly Tool[];
  /** Of MCP servers, too: those that came since. */
  readonly unlisted: Pick<UnlistedTools, "find" | "explain">;
  /** Null: nothing is masked. */
  readonly secrets: SecretMask | null;
}

/** What the tools of a thread share, whichever model it has: the commands that were left running, the files of long outputs. */
export interface OpenTools extends AsyncDisposable {
  /**
   * The tools that fit the model family of the settings, in one fixed order. `head`: how the requests of a thread that goes on
   * begin; the built-in tools that it lists run, too. Null: it has none yet.
   */
  openRuntime(head: RequestHead | null): ToolRuntime;
  /** Those of the built-in tools that are functions where a server takes no others. */
  readonly functions: () => readonly FunctionToolSpec[];
  readonly sessions: BackgroundCommandList;
  /** Tells of the commands that were left running and have ended, unless a turn runs: that tells them itself. */
  readonly tellEnds: () => void;
}

export function openTools(options: OpenToolsOptions): OpenTools {
  const { threadId, host, machine, settings, notes } = options;
  const clock = createClock(host);
  const own = machine?.runner ?? createCurrentRunner(settings);
  const wrapped = options.wrapRunner(own);
  const runner = options.secrets ? maskRunner(wrapped, options.secrets) : wrapped;
  const secrets = options.secrets ? { secrets: options.secrets } : {};
  const access = createPathAccess(settings, host.homeDirectory);
  const outputFiles = machine?.openOutputFiles(threadId) ?? openOutputFiles(host, threadId);
  const { sessions, tellEnds } = openSessions(options, { runner, clock, outputFiles, ...secrets });
  const gate = options.wrapGate(createGate(options, own));
  const toBuiltin = (form: BuiltinForm): readonly Tool[] => {
    const { modelFamily: family, commandTimeoutMs, webSearchMode } = settings.config;
    return createBuiltinTools({
      ...form,
      get cwd() {
        return settings.config.cwd;
      },
      shell: options.shell,
      runner,
      sessions,
      outputFiles,
      threadId,
      notes,
      person: settings.person,
      isReadOnlyCommand: async (line) => (await import("@unroll/approval/command")).isReadOnlyCommand(line),
      defaultTimeoutMs: commandTimeoutMs,
      patchFiles: machine?.patchFiles ?? createNodePatchFiles({ listRoots: () => listRoots(settings) }),
      access,
      images: {
        // what the server takes may have been learned since the tools were listed
        read: async (path) =>
          settings.config.modelFamily.supportsImages
            ? readImageFile(path, toReadGate(settings.sandbox.policy))
            : { error: noImages },
      },
      webSearch: webSearchMode,
      seesImages: family.supportsImages,
      ...secrets,
    });
  };
  const toForm = (): BuiltinForm => ({
    family: settings.config.modelFamily,
    ...(options.builtins && { only: options.builtins }),
  });
  return {
    openRuntime(head) {
      const form = toForm();
      const builtin = toBuiltin(form);
      const kept = head === null ? [] : toBuiltin(toKeptForm(form, head));
      const unlisted = { ...options.unlisted, kept: listOthers(kept, builtin) };
      const registry = takeCall(() => createToolRegistry([...builtin, ...options.extra], unlisted));
      return createToolRuntime({
        registry,
        gate,
        get outputTokens() {
          return settings.config.modelFamily.toolOutputTokens;
        },
        clock,
        outputFiles,
        ...(options.afterCall && { afterCall: options.afterCall }),
        ...secrets,
      });
    },
    functions() {
      const form = toForm();
      const specs = toBuiltin({ ...form, family: { ...form.family, applyPatchTool: "function" } }).map(
        ({ spec }) => spec,
      );
      return specs.filter((spec) => spec.type === "function");
    },
    sessions,
    tellEnds,
    async [Symbol.asyncDispose]() {
      await sessions.close();
      await outputFiles[Symbol.asyncDispose]();
    },
  };
}

/** The commands that are left running: each keeps the walls that it was started in, and its end is told when it happens. */
function openSessions(
  { host, settings, feed }: OpenToolsOptions,
  ports: Omit<Parameters<typeof createBackgroundCommands>[0], "firstId">,
): { readonly sessions: BackgroundCommands; readonly tellEnds: () => void } {
  const firstId = 1 + Math.floor(host.random() * maxFirstSessionId);
  const noteWalls = (): (() => boolean) => {
    const { policy } = settings.sandbox;
    return () => !isAsTight(policy, settings.sandbox.policy);
  };
  const tellEnds = (): void => {
    if (!feed.isInTurn()) sessions.takeEndings().forEach((event) => feed.tell(event));
  };
  const sessions = createBackgroundCommands({ ...ports, firstId, noteWalls, onEnd: tellEnds });
  return { sessions, tellEnds };
}

/** Which of the built-in tools there are, and how they are called. */
type BuiltinForm = Pick<BuiltinToolOptions, "family" | "only">;

/** As the requests list them that begin so, as far as the program still gives them to the model. */
function toKeptForm({ family, only = builtinToolNames }: BuiltinForm, { tools }: RequestHead): BuiltinForm {
  const applyPatchTool = tools.find(({ name }) => name === "apply_patch")?.type === "custom" ? "custom" : "function";
  return {
    family: { ...family, applyPatchTool },
    only: only.filter((name) => tools.some((tool) => tool.name === name)),
  };
}

/** Of the first those that run here and are called otherwise than any of the second. */
function listOthers(tools: readonly Tool[], others: readonly Tool[]): readonly CallableTool[] {
  const isSame = (one: Tool, two: Tool): boolean => one.name === two.name && one.spec.type === two.spec.type;
  return tools.filter((tool) => tool.type === "callable").filter((tool) => !others.some((each) => isSame(tool, each)));
}

const noImages = "Images are not sent to this model's server. Find out what you need of the file in another way.";

function openOutputFiles(host: Host, threadId: string): NodeOutputFiles {
  return createNodeOutputFiles({ folder: join(findStateFolder(host), "outputs", threadId), now: host.now });
}

function createGate(options: OpenToolsOptions, runner: CommandRunner): CallGate {
  const { threadId, host, settings, notes, book, mcpServers } = options;
  return createCallGate({
    threadId,
    settings: () => settings,
    book,
    homeDirectory: host.homeDirectory,
    lookAtGit: createGitReader(runner),
    isShadowed: (name, cwd) => {
      const { config, sandbox } = settings;
      const roots = listRoots(settings).map(({ path }) => path);
      const folders = [
        cwd,
        config.cwd,
        ...(config.projectRoot === null ? [] : [config.projectRoot]),
        ...roots,
      ] as const;
      return createShadowTest({ path: sandbox.searchPath, folders })(name);
    },
    isRuleFolder: createRuleFolderTest({
      listFolders: () => [settings.config.cwd, ...listWorkRoots(settings)],
      hasRules: () => book.rules !== null,
    }),
    mcpApprovalMode: (server, tool) => findMcpApprovalMode(mcpServers, { server, tool }),
    notes,
  });
}

function listRoots({ sandbox: { policy } }: ThreadSettings): readonly WritableRoot[] {
  return policy.mode === "workspace-write" ? policy.roots : [];
}

/** The folders that people named: a guard of the sandbox looks at the repositories in them. */
function listWorkRoots(settings: ThreadSettings): readonly string[] {
  return listRoots(settings)
    .filter(({ kind }) => kind === "work")
    .map(({ path }) => path);
}

function createPathAccess(settings: ThreadSettings, home: string): PathAccess {
  return {
    canRead: (realPath) => canRead(settings.sandbox.policy, realPath),
    judgeWrites: () => createWritableRoots(settings.sandbox.policy, home).isWritable,
  };
}

/** Runs each command in the sandbox of its time, which is looked for with the first one. */
function createCurrentRunner(settings: ThreadSettings): CommandRunner & BackgroundCommandRunner {
  return {
    async *run(spec, signal) {
      return yield* (await settings.sandbox.openRunner()).run(spec, signal);
    },
    openSession: async (spec, signal) => (await settings.sandbox.openRunner()).openSession(spec, signal),
  };
}
