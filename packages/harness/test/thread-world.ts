import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadConfig, type ResolvedConfig, resolveCodexHome } from "@unroll/config";
import { forEach } from "@unroll/flow";
import {
  type Harness,
  type HarnessOptions,
  type Host,
  openHarness,
  openThread,
  type OpenThreadOptions,
  type RunOptions,
  type Thread,
} from "@unroll/harness";
import type { ThreadEvent, TurnOutcome, UserInput } from "@unroll/protocol";
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "@unroll/scripted-model";
import { createTestHost } from "./test-host.ts";

export interface RanTurn {
  readonly events: readonly ThreadEvent[];
  readonly outcome: TurnOutcome;
}

/** A scripted model, and a home and a working folder to open threads in. All gone when it is disposed. */
export interface ThreadWorld extends AsyncDisposable {
  readonly model: ScriptedModel;
  readonly home: string;
  readonly work: string;
  openThread(settings?: ThreadSettings): Promise<Thread>;
  openHarness(settings?: ThreadSettings): Promise<Harness>;
  /** The whole config that these settings come to. */
  loadConfig(config: readonly string[]): Promise<ResolvedConfig>;
}

export interface ThreadSettings extends Partial<Omit<OpenThreadOptions, "config" | "host">> {
  /** `key=value`, as with `-c`. */
  readonly config?: readonly string[];
  /** The same for the sandbox and the approvals. Absent: full access, and nothing is asked. */
  readonly permissions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** As of `HostEnvironment`. */
  readonly ownFolders?: readonly string[];
  /** As of `HostEnvironment`. */
  readonly localDay?: Host["localDay"];
  readonly time?: Pick<Host, "elapsed" | "timers">;
}

export interface WorldOptions {
  /** Written into the working folder before anything starts. */
  readonly files?: Readonly<Record<string, string>>;
}

const fullAccess = ["sandbox_mode=danger-full-access", "approval_policy=never"];

export async function openThreadWorld(
  options: ScriptedModelOptions,
  { files = {} }: WorldOptions = {},
): Promise<ThreadWorld> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-harness-test-"));
  const [home, work] = [join(folder.path, "home"), join(folder.path, "work")];
  for (const created of [home, work]) await mkdir(created);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(work, name)), { recursive: true });
    await writeFile(join(work, name), text);
  }
  const model = await startScriptedModel(options);

  async function load(
    config: readonly string[],
    env: Host["env"],
    permissions: readonly string[] = fullAccess,
  ): Promise<ResolvedConfig> {
    const table = [`base_url=${model.url}`, "preset=openai", "supports_compaction=false"];
    const provider = [...table.map((key) => `model_providers.test.${key}`), "model_provider=test", "model=gpt-5-codex"];
    const overrides = [...provider, ...permissions, ...config].map(toOverride);
    return loadConfig({ codexHome: resolveCodexHome(env, work), cwd: work, env, overrides, flags: {} });
  }

  async function toHarnessOptions(settings: ThreadSettings): Promise<HarnessOptions> {
    const { config = [], env = {}, ownFolders = [], localDay, time } = settings;
    const executor = createTestHost({ PATH: process.env["PATH"], HOME: home, ...env }, work);
    const host = { ...executor, ownFolders, ...(localDay && { localDay }), ...time };
    return { host, config: await load(config, host.env, settings.permissions), userAgent: "test" };
  }

  return {
    model,
    home,
    work,
    openThread: async (settings = {}) => openThread({ ...toOwn(settings), ...(await toHarnessOptions(settings)) }),
    openHarness: async (settings = {}) => openHarness({ ...toOwn(settings), ...(await toHarnessOptions(settings)) }),
    loadConfig: (config) => load(config, { PATH: process.env["PATH"], HOME: home }),
    async [Symbol.asyncDispose]() {
      await folder.remove();
      await model.close();
    },
  };
}

/** The settings that the harness gets unchanged. */
function toOwn({
  config: _config,
  env: _env,
  ownFolders: _folders,
  localDay: _day,
  time: _time,
  permissions: _permissions,
  ...own
}: ThreadSettings): Partial<OpenThreadOptions> {
  return own;
}

function toOverride(text: string): { readonly key: string; readonly value: string; readonly origin: string } {
  const at = text.indexOf("=");
  return { key: text.slice(0, at), value: text.slice(at + 1), origin: "-c" };
}

export async function runToEnd(thread: Thread, input: UserInput, options: Partial<RunOptions> = {}): Promise<RanTurn> {
  const events: ThreadEvent[] = [];
  const turn = thread.run(input, { signal: new AbortController().signal, ...options });
  const outcome = await forEach(turn, (event) => void events.push(event));
  return { events, outcome };
}
