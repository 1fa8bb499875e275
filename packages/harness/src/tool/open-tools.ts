import { join } from "node:path";
import type { ResolvedConfig } from "@unroll/config";
import type { ToolRuntime } from "@unroll/core";
import type { Person } from "@unroll/protocol";
import {
  createBuiltinTools,
  createCommandSessions,
  createToolRegistry,
  createToolRuntime,
  type CommandRunner,
  type SessionList,
  type SessionRunner,
  type Tool,
  type UserShell,
} from "@unroll/tools";
import { readImageFile } from "../files/node-image-files.ts";
import { createNodeOutputFiles } from "../files/node-output-files.ts";
import { nodePatchFiles } from "../files/node-patch-files.ts";
import { createClock } from "../host/create-clock.ts";
import type { HostEnvironment } from "../host/host-environment.ts";
import { findStateFolder } from "../host/state-folder.ts";
import { resolveApprovals } from "../approval/approvals.ts";
import { createCallGate } from "../approval/create-call-gate.ts";
import { isReadOnlyCommand } from "../approval/is-read-only-command.ts";
import { findMcpApprovalMode } from "../approval/mcp-approval-mode.ts";
import { openRuleBook } from "../approval/rule-book.ts";
import { openSandbox, type Sandbox } from "../sandbox/open-sandbox.ts";
import { createMemoryNotes } from "./memory-notes.ts";
import { createReadableFiles } from "./readable-files.ts";
import { createWritableRoots } from "./writable-roots.ts";

/** Sessions are numbered from somewhere up to here, so that a resumed thread's old numbers find nothing. */
const maxFirstSessionId = 90_000;

export interface OpenToolsOptions {
  readonly threadId: string;
  readonly config: ResolvedConfig;
  readonly host: HostEnvironment;
  readonly shell: UserShell;
  /** Null: there is nobody to ask. */
  readonly person: Person | null;
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
  const { threadId, config, host, shell, person } = options;
  const { cwd, sandboxPolicy: policy, modelFamily: family, approvalPolicy } = config;
  const book = await openRuleBook(config.codexHome);
  const notes = createMemoryNotes();
  const settings = { approvals: resolveApprovals(approvalPolicy, person), sandboxMode: policy.mode };
  const gate = createCallGate({
    threadId,
    settings: () => settings,
    book,
    homeDirectory: host.homeDirectory,
    mcpApprovalMode: (server, tool) => findMcpApprovalMode(config.mcpServers, { server, tool }),
    notes,
  });
  const canRead = createReadableFiles(policy);
  const roots = createWritableRoots({
    policy,
    cwd,
    temporaryFolder: host.env["TMPDIR"] ?? null,
    readOnlyFolders: host.ownFolders,
  });
  const sandbox = openSandbox(config, host);
  const runner = toLazyRunner(sandbox);
  const clock: Clock = {
    now: host.elapsed,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
  };
  const outputFolder = join(findStateFolder(host), "outputs", threadId);
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
    threadId,
    notes,
    person,
    isReadOnlyCommand,
    defaultTimeoutMs: config.commandTimeoutMs,
    patchFiles: nodePatchFiles,
    access: { canRead, canWrite: (path) => roots.isWritable(path) },
    images: { read: (path) => readImageFile(path, canRead) },
    webSearch: config.webSearchMode,
  });
  const registry = createToolRegistry([...builtin, ...options.extra]);
  return {
    runtime: createToolRuntime({ registry, gate, outputTokens: family.toolOutputTokens, clock, outputFiles }),
    sessions,
    async close() {
      await sessions.close();
      await sandbox[Symbol.asyncDispose]();
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
