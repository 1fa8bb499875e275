import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ResolvedConfig } from "@unroll/config";
import type { ToolRuntime } from "@unroll/core";
import { canRead } from "@unroll/sandbox";
import {
  createBuiltinTools,
  createCommandSessions,
  createToolRegistry,
  createToolRuntime,
  type Clock,
  type CommandRunner,
  type SessionList,
  type SessionRunner,
  type Tool,
  type UserPrompter,
  type UserShell,
} from "@unroll/tools";
import { readImageFile } from "../files/node-image-files.ts";
import { createNodeOutputFiles } from "../files/node-output-files.ts";
import { nodePatchFiles } from "../files/node-patch-files.ts";
import type { HostEnvironment } from "../host/host-environment.ts";
import { findStateFolder } from "../host/state-folder.ts";
import type { ApprovalPort } from "../approval/approval-port.ts";
import { createCommandGate } from "../approval/command-gate.ts";
import { isReadOnlyCommand } from "../approval/is-read-only-command.ts";
import { createPatchGate } from "../approval/patch-gate.ts";
import { openRuleBook } from "../approval/rule-book.ts";
import type { Sandbox } from "../sandbox/open-sandbox.ts";
import { createWritableRoots } from "../approval/writable-roots.ts";

/** Sessions are numbered from somewhere up to here, so that a resumed thread's old numbers find nothing. */
const maxFirstSessionId = 90_000;

export interface OpenToolsOptions {
  readonly threadId: string;
  readonly config: ResolvedConfig;
  readonly host: HostEnvironment;
  /** The caller closes it, behind the tools. */
  readonly sandbox: Sandbox;
  readonly shell: UserShell;
  /** Null: there is nobody to ask. */
  readonly approvals: ApprovalPort | null;
  /** Null: the model cannot put questions to anybody. */
  readonly userInput: UserPrompter | null;
  /** Of the program that uses the harness; behind the built-in ones. */
  readonly extra: readonly Tool[];
}

/** A thread's tools, and what they hold open. */
export interface OpenTools {
  readonly runtime: ToolRuntime;
  readonly sessions: SessionList;
  close(): Promise<void>;
}

/** The tools that fit the model family, in one fixed order. Throws `HarnessError` `invalid_rules`. */
export async function openTools(options: OpenToolsOptions): Promise<OpenTools> {
  const { config, host, sandbox, shell, approvals, userInput } = options;
  const { policy } = sandbox;
  const { cwd, modelFamily: family, approvalPolicy } = config;
  const book = await openRuleBook(config.codexHome);
  const asking = { approvals, approvalPolicy, sandboxMode: policy.mode };
  const isReadable = (realPath: string): boolean => canRead(policy, realPath);
  const runner = toLazyRunner(sandbox);
  const clock: Clock = {
    now: host.elapsed,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
  };
  const outputFolder = join(findStateFolder(host), "outputs", options.threadId);
  const outputFiles = createNodeOutputFiles({ folder: outputFolder, now: host.now });
  const firstId = 1 + Math.floor(host.random() * maxFirstSessionId);
  const sessions = createCommandSessions({ runner, clock, outputFiles, firstId });
  const builtin = createBuiltinTools({
    cwd,
    family,
    shell,
    runner,
    sessions,
    outputFiles,
    commandGate: createCommandGate({ book, homeDirectory: host.homeDirectory, ...asking }),
    isReadOnlyCommand,
    defaultTimeoutMs: config.commandTimeoutMs,
    patchFiles: nodePatchFiles,
    patchGate: createPatchGate({
      isReadable,
      roots: createWritableRoots(policy),
      ...asking,
    }),
    images: { read: (path) => readImageFile(path, isReadable) },
    webSearch: config.webSearchMode,
    ...(userInput && { userInput }),
  });
  const registry = createToolRegistry([...builtin, ...options.extra]);
  return {
    runtime: createToolRuntime({ registry, outputTokens: family.toolOutputTokens, clock, outputFiles }),
    sessions,
    async close() {
      await sessions.close();
      await outputFiles[Symbol.asyncDispose]();
    },
  };
}

/** The sandbox is looked for with the first command. */
function toLazyRunner(sandbox: Sandbox): CommandRunner & SessionRunner {
  return {
    async *run(spec, signal) {
      return yield* (await sandbox.openRunner()).run(spec, signal);
    },
    openSession: async (spec, signal) => (await sandbox.openRunner()).openSession(spec, signal),
  };
}
