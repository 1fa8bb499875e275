import { setTimeout as sleep } from "node:timers/promises";
import type { ResolvedConfig } from "@unroll/config";
import type { ToolRuntime } from "@unroll/core";
import {
  createBuiltinTools,
  createToolRegistry,
  createToolRuntime,
  type Clock,
  type CommandRunner,
  type Tool,
  type UserShell,
} from "@unroll/tools";
import { readImageFile } from "../files/node-image-files.ts";
import { nodePatchFiles } from "../files/node-patch-files.ts";
import type { HostEnvironment } from "../host/host-environment.ts";
import type { ApprovalPort } from "../approval/approval-port.ts";
import { createCommandGate } from "../approval/command-gate.ts";
import { isReadOnlyCommand } from "../approval/is-read-only-command.ts";
import { createPatchGate } from "../approval/patch-gate.ts";
import { openRuleBook } from "../approval/rule-book.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { createWritableRoots } from "./writable-roots.ts";

export interface OpenToolsOptions {
  readonly config: ResolvedConfig;
  readonly host: HostEnvironment;
  readonly shell: UserShell;
  /** Null: there is nobody to ask. */
  readonly approvals: ApprovalPort | null;
  /** Of the program that uses the harness; behind the built-in ones. */
  readonly extra: readonly Tool[];
}

/** A thread's tools, and what they hold open. */
export interface OpenTools {
  readonly runtime: ToolRuntime;
  close(): Promise<void>;
}

/** The tools that fit the model family, in one fixed order. Throws `HarnessError` `invalid_rules`. */
export async function openTools({ config, host, shell, approvals, extra }: OpenToolsOptions): Promise<OpenTools> {
  const { cwd, sandboxPolicy: policy, modelFamily: family, approvalPolicy } = config;
  const book = await openRuleBook(config.codexHome);
  const asking = { approvals, approvalPolicy, sandboxMode: policy.mode };
  const sandbox = openSandbox(config, host);
  const runner: CommandRunner = {
    async *run(spec, signal) {
      return yield* (await sandbox.openRunner()).run(spec, signal);
    },
  };
  const builtin = createBuiltinTools({
    cwd,
    family,
    shell,
    runner,
    commandGate: createCommandGate({ book, homeDirectory: host.homeDirectory, ...asking }),
    isReadOnlyCommand,
    defaultTimeoutMs: config.commandTimeoutMs,
    patchFiles: nodePatchFiles,
    patchGate: createPatchGate({
      roots: createWritableRoots({ policy, cwd, temporaryFolder: host.env["TMPDIR"] ?? null }),
      ...asking,
    }),
    images: { read: readImageFile },
    webSearch: config.webSearchMode,
  });
  const registry = createToolRegistry([...builtin, ...extra]);
  const runtime = createToolRuntime({ registry, outputTokens: family.toolOutputTokens, clock });
  return { runtime, close: () => Promise.resolve(sandbox[Symbol.asyncDispose]()) };
}

const clock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
};
