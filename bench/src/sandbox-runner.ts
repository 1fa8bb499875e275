import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { drain } from "@unroll/flow";
import type { SandboxSettings } from "@unroll/protocol";
import {
  createCommandRunner,
  findStateFolder,
  probeSandbox,
  resolveSandboxPolicy,
  type SandboxRunner,
} from "@unroll/sandbox";
import { sandboxSettings } from "@unroll/sandbox/fixture/sandbox-settings";

/** For commands in `cwd`. `base`: the home, with the folders of unroll. All hosts by name lead to this machine. */
export async function openRunner(
  base: string,
  cwd: string,
  own: Partial<SandboxSettings> = {},
): Promise<SandboxRunner> {
  const stateFolder = findStateFolder(join(base, "state"));
  const environment = { PATH: process.env["PATH"] ?? "", HOME: base };
  const createId = randomUUID;
  const place = { cwd, temporaryFolder: null, homeDirectory: base, codexHome: join(base, "codex"), stateFolder };
  const { policy } = resolveSandboxPolicy({ ...sandboxSettings, ...own }, { ...place, ownFolders: [] });
  const backend = await probeSandbox({ policy, cwd, stateFolder, environment, createId });
  return createCommandRunner({
    policy,
    environment,
    sandbox: { backend, stateFolder },
    elapsed: () => performance.now(),
    createId,
    hosts: { resolve: async () => ["127.0.0.1"] },
  });
}

/** Throws where it fails; else its output. */
export async function runCommand(runner: SandboxRunner, argv: readonly string[], cwd: string): Promise<string> {
  const spec = { argv, cwd, timeoutMs: 60_000, maxOutputBytes: 1_000, confinement: "policy" } as const;
  const outcome = await drain(runner.run(spec, new AbortController().signal));
  if (outcome.type !== "exited" || outcome.exitCode !== 0) throw new Error(JSON.stringify(outcome));
  return outcome.output.text;
}

/** In ms. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
