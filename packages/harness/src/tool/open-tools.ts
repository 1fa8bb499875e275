import { setTimeout as sleep } from "node:timers/promises";
import type { ResolvedConfig } from "@unroll/config";
import type { ToolRuntime } from "@unroll/core";
import { createCommandRunner } from "@unroll/sandbox";
import {
  createBuiltinTools,
  createToolRegistry,
  createToolRuntime,
  type Clock,
  type Tool,
  type UserShell,
} from "@unroll/tools";
import { readImageFile } from "../files/node-image-files.ts";
import { nodePatchFiles } from "../files/node-patch-files.ts";
import type { HostEnvironment } from "../host/host-environment.ts";
import { commandGate } from "./command-gate.ts";
import { createPatchGate } from "./patch-gate.ts";
import { createWritableRoots } from "./writable-roots.ts";

export interface OpenToolsOptions {
  readonly config: ResolvedConfig;
  readonly host: HostEnvironment;
  readonly shell: UserShell;
  /** Of the program that uses the harness; behind the built-in ones. */
  readonly extra: readonly Tool[];
}

/** A thread's tools, and what they hold open. */
export interface OpenTools {
  readonly runtime: ToolRuntime;
  close(): Promise<void>;
}

/** The tools that fit the model family, in one fixed order. */
export function openTools({ config, host, shell, extra }: OpenToolsOptions): OpenTools {
  const { cwd, sandboxPolicy: policy, modelFamily: family } = config;
  const runner = createCommandRunner({
    environment: toCommandEnvironment(config, host),
    policy,
    now: clock.now,
    createId: host.newId,
  });
  const builtin = createBuiltinTools({
    cwd,
    family,
    shell,
    runner,
    commandGate,
    defaultTimeoutMs: config.commandTimeoutMs,
    patchFiles: nodePatchFiles,
    patchGate: createPatchGate(
      createWritableRoots({ policy, cwd, temporaryFolder: host.env["TMPDIR"] ?? null }),
      policy,
    ),
    images: { read: readImageFile },
    webSearch: config.webSearchMode,
  });
  const registry = createToolRegistry([...builtin, ...extra]);
  const runtime = createToolRuntime({ registry, outputTokens: family.toolOutputTokens, clock });
  return { runtime, close: () => runner[Symbol.asyncDispose]() };
}

const clock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
};

function toCommandEnvironment(config: ResolvedConfig, host: HostEnvironment): Readonly<Record<string, string>> {
  const secret = new Set(config.secretNames);
  return Object.fromEntries(
    Object.entries(host.env).flatMap(([name, value]) =>
      value === undefined || secret.has(name) ? [] : [[name, value]],
    ),
  );
}
