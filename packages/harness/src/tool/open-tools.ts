import { join } from "node:path";
import { createNodePatchFiles } from "@unroll/apply-patch/node";
import { createCallGate, createGitReader, findMcpApprovalMode } from "@unroll/approval";
import { createRuleFolderTest, createShadowTest, createWritableRoots } from "@unroll/approval/node";
import type { ToolRuntime } from "@unroll/core";
import { noPathMemory } from "@unroll/files";
import type { FunctionToolSpec, RequestHead, SandboxPolicy, WritableRoot } from "@unroll/protocol";
import { canRead, isAsTight } from "@unroll/sandbox";
import {
  type BackgroundCommandList,
  type BackgroundCommands,
  type BuiltinToolName,
  builtinToolNames,
  type BuiltinToolOptions,
  type CallableTool,
  type CallGate,
  type CommandRunner,
  createBackgroundCommands,
  createBuiltinTools,
  createToolRegistry,
  createToolRuntime,
  maskRunner,
  type PathAccess,
  type Tool,
} from "@unroll/tools";
import { createNodeOutputFiles } from "@unroll/tools/node";
import { takeCall } from "../check-options.ts";
import { createClock } from "../host/create-clock.ts";
import { limitTools, type ThreadAgentTools } from "./agent-tools.ts";
import { watchChanges } from "./watch-changes.ts";
import { readGatedImage } from "./read-image-file.ts";
import type { ThreadBase } from "../base/thread-base.ts";
import type { ThreadMcp } from "../mcp/join-mcp.ts";
import { findStateFolder } from "../host/state-folder.ts";
import type { ThreadSettings } from "../settings/thread-settings.ts";
import type { ThreadRunner } from "../sub-agent/thread-bounds.ts";
import { toReadGate } from "../sandbox/read-gate.ts";

/** Sessions are numbered from somewhere up to here, so that a resumed thread's old numbers find nothing. */
const maxFirstSessionId = 90_000;

/**
 * The shared tools of a thread, whichever model it has: background commands, and the files of long
 * outputs.
 */
export interface OpenTools extends AsyncDisposable {
  /**
   * The tools that fit the model family of the settings, in one fixed order. `head`: the head of a
   * resumed thread's requests, whose built-in tools run, too. Null: there is none yet.
   */
  openRuntime(head: RequestHead | null): ToolRuntime;
  /** The built-in tools that become functions if a server accepts no other kind. */
  readonly functions: () => readonly FunctionToolSpec[];
  /** Call it while the model answers: the sandbox looks at the workspace for the first command. */
  readonly expectCommand: () => void;
  readonly backgroundCommands: BackgroundCommandList;
  /** Reports background commands that have ended, unless a turn runs, which reports them itself. */
  readonly tellEnds: () => void;
}

/** `mcp`: the tools of MCP servers, which come last. */
export function openTools(base: ThreadBase, mcp: ThreadMcp, agentTools: ThreadAgentTools): OpenTools {
  const { own, settings, state, shell } = base;
  const { id: threadId, builtins, afterCall } = own;
  const { host, executor } = base.shared;
  const clock = createClock(host);
  const plain = executor?.runner ?? createCurrentRunner(settings);
  const wrapped = own.wrapRunner(plain);
  const runner = base.secrets ? maskRunner(wrapped, base.secrets) : wrapped;
  const secrets = base.secrets ? { secrets: base.secrets } : {};
  const access = createPathAccess(base);
  const folder = join(findStateFolder(host), "outputs", threadId);
  const outputFiles = executor?.openOutputFiles(threadId) ?? createNodeOutputFiles({ folder, now: host.now });
  const { backgroundCommands, tellEnds } = openBackgroundCommands(base, { runner, clock, outputFiles, ...secrets });
  const changes = watchChanges(openGate(base, plain), base);
  const toBuiltin = (form: BuiltinForm): readonly Tool[] => {
    const { modelFamily: family, commandTimeoutMs, webSearchMode } = settings.config;
    return createBuiltinTools({
      ...form,
      get cwd() {
        return settings.config.cwd;
      },
      shell,
      runner,
      backgroundCommands,
      outputFiles,
      threadId,
      notes: state.notes,
      person: settings.person,
      isReadOnlyCommand: async (line) => (await import("@unroll/approval/command")).isReadOnlyCommand(line),
      defaultTimeoutMs: commandTimeoutMs,
      patchFiles: executor?.patchFiles ?? createNodePatchFiles({ listRoots: () => listRoots(settings) }),
      access,
      images: {
        // what the server takes may have been learned since the tools were listed
        read: async (path) =>
          settings.config.modelFamily.supportsImages
            ? readGatedImage(path, toReadGate(settings.sandbox.policy))
            : { error: noImages },
      },
      webSearch: webSearchMode,
      seesImages: family.supportsImages,
      ...secrets,
    });
  };
  const toForm = (): BuiltinForm => ({ family: settings.config.modelFamily, ...(builtins && { only: builtins }) });
  return {
    openRuntime(head) {
      const form = toForm();
      const builtin = toBuiltin(form);
      const kept = head === null ? [] : toBuiltin(toKeptForm(form, head));
      const unlisted = { ...mcp, kept: listOthers(kept, builtin) };
      const listed = [...builtin, ...agentTools.choose(head), ...own.tools, ...mcp.tools];
      const registry = takeCall(() => createToolRegistry(...limitTools(own, listed, unlisted)));
      const runtime = createToolRuntime({
        registry,
        gate: changes.gate,
        get outputTokens() {
          return settings.config.modelFamily.toolOutputTokens;
        },
        clock,
        outputFiles,
        ...(afterCall && { afterCall }),
        ...secrets,
      });
      return { ...runtime, endTurn: () => (void settings.sandbox.rest(), runtime.endTurn()) };
    },
    functions() {
      const form = toForm();
      const tools = toBuiltin({ ...form, family: { ...form.family, applyPatchTool: "function" } });
      return tools.map(({ spec }) => spec).filter((spec) => spec.type === "function");
    },
    expectCommand: () => void (executor === null && canRunCommands(builtins) && settings.sandbox.begin()),
    backgroundCommands,
    tellEnds,
    async [Symbol.asyncDispose]() {
      await backgroundCommands.close();
      await outputFiles[Symbol.asyncDispose]();
      changes[Symbol.dispose]();
    },
  };
}

/**
 * Background commands: each keeps the sandbox that it was started in, and its end is reported when
 * it happens.
 */
function openBackgroundCommands(
  { shared: { host }, settings, feed }: ThreadBase,
  ports: Omit<Parameters<typeof createBackgroundCommands>[0], "firstId">,
): { readonly backgroundCommands: BackgroundCommands; readonly tellEnds: () => void } {
  const firstId = 1 + Math.floor(host.random() * maxFirstSessionId);
  const noteWalls = (): (() => boolean) => {
    const { policy } = settings.sandbox;
    return () => !isAsTight(policy, settings.sandbox.policy);
  };
  const tellEnds = (): void => {
    if (!feed.isInTurn()) backgroundCommands.takeEndings().forEach((event) => feed.tell(event));
  };
  const backgroundCommands = createBackgroundCommands({ ...ports, firstId, noteWalls, onEnd: tellEnds });
  return { backgroundCommands, tellEnds };
}

function canRunCommands(builtins: readonly BuiltinToolName[] | null): boolean {
  const names: readonly BuiltinToolName[] = ["shell_command", "shell", "exec_command"];
  return builtins === null || names.some((name) => builtins.includes(name));
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

/** The runnable tools of the first list whose names the second does not have. */
function listOthers(tools: readonly Tool[], others: readonly Tool[]): readonly CallableTool[] {
  const isSame = (one: Tool, two: Tool): boolean => one.name === two.name && one.spec.type === two.spec.type;
  return tools.filter((tool) => tool.type === "callable").filter((tool) => !others.some((each) => isSame(tool, each)));
}

const noImages = "Images are not sent to this model's server. Find out what you need of the file in another way.";

/** The gate of calls, which decides about hosts, too. */
function openGate(base: ThreadBase, runner: CommandRunner): CallGate {
  const gate = base.own.wrapGate(createGate(base, runner));
  base.hosts.setGate(gate);
  return gate;
}

function createGate({ own, shared, settings, state }: ThreadBase, runner: CommandRunner): CallGate {
  return createCallGate({
    threadId: own.id,
    settings: () => settings,
    book: shared.book,
    homeDirectory: shared.host.homeDirectory,
    lookAtGit: createGitReader(runner),
    isShadowed: (name, cwd) => {
      const { config, sandbox } = settings;
      const project = config.projectRoot === null ? [] : [config.projectRoot];
      const realFolders = listRoots(settings).map(({ path }) => path);
      const folders = [cwd, config.cwd, ...project, ...realFolders] as const;
      const paths = shared.executor === null ? sandbox.paths : noPathMemory;
      return createShadowTest({ path: sandbox.searchPath, folders, realFolders, paths })(name);
    },
    isRuleFolder: createRuleFolderTest({
      listFolders: () => [settings.config.cwd, ...listWorkRoots(settings)],
      hasRules: () => shared.book.rules !== null,
    }),
    mcpApprovalMode: (server, tool) => findMcpApprovalMode(shared.config.mcpServers, { server, tool }),
    findEdits: () => findEdits(settings.sandbox.editPolicy(), shared.host.homeDirectory),
    notes: state.notes,
  });
}

/** For files outside of the sandbox and inside of it, as the gate asks about both. */
function findEdits(policy: SandboxPolicy, home: string): ReturnType<Parameters<typeof createCallGate>[0]["findEdits"]> {
  if (policy.mode === "danger-full-access") return { folders: ["/"], covers: () => true };
  const folders = policy.mode === "workspace-write" ? policy.roots.map(({ path }) => path) : [];
  return { folders, covers: createWritableRoots(policy, home).isWritable };
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

function createPathAccess({ settings, shared: { host } }: ThreadBase): PathAccess {
  return {
    canRead: (realPath) => canRead(settings.sandbox.policy, realPath),
    judgeWrites: () => createWritableRoots(settings.sandbox.policy, host.homeDirectory).isWritable,
  };
}

/** Runs each command in the sandbox of its time, which is looked for with the first one. */
function createCurrentRunner(settings: ThreadSettings): ThreadRunner {
  return {
    async *run(spec, signal) {
      return yield* (await settings.sandbox.openRunner()).run(spec, signal);
    },
    startBackgroundCommand: async (spec, signal) =>
      (await settings.sandbox.openRunner()).startBackgroundCommand(spec, signal),
  };
}
