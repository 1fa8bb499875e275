import { listSecretValues, type ResolvedConfig } from "@unroll/config";
import type { SandboxPolicy } from "@unroll/protocol";
import {
  type SandboxRunner,
  createCommandRunner,
  explainSandbox,
  filterEnvironment,
  findStateFolder,
  resolveSandboxPolicy,
  type SandboxBackend,
  type SandboxExplanation,
} from "@unroll/sandbox";
import type { HostEnvironment } from "../host/host-environment.ts";
import { makeStateFolder } from "../host/state-folder.ts";
import type { SandboxBackends } from "./sandbox-backends.ts";

/** What stands around the commands of a thread. What builds the walls is looked for when it is first needed, and once. */
export interface Sandbox extends AsyncDisposable {
  /** What commands may do, and patches with them. */
  readonly policy: SandboxPolicy;
  /** For a person: which folders of the config could not be had. */
  readonly warnings: readonly string[];
  /** Runs commands under the policy. */
  openRunner(): Promise<SandboxRunner>;
  /** For a person: what is enforced, what is not, and by what. */
  explain(): Promise<SandboxExplanation>;
}

/** As `openSandbox`, at once; threads share `backends`. */
export function createSandbox(config: ResolvedConfig, host: HostEnvironment, backends: SandboxBackends): Sandbox {
  const { cwd, codexHome, sandboxSettings } = config;
  const credentials = { names: config.secretNames, values: listSecretValues(config, host.env) };
  const environment = filterEnvironment(host.env, config.shellEnvironmentPolicy, credentials);
  const own = makeStateFolder(host);
  const stateFolder = findStateFolder(own);
  const { policy, warnings } = resolveSandboxPolicy(sandboxSettings, {
    cwd,
    temporaryFolder: environment["TMPDIR"] ?? null,
    homeDirectory: host.homeDirectory,
    codexHome,
    stateFolder,
    ownFolders: [own, ...host.ownFolders],
  });
  let runner: Promise<SandboxRunner> | null = null;

  function findBackend(): Promise<SandboxBackend> {
    return backends.find({ policy, cwd, stateFolder, environment, createId: host.newId });
  }

  async function createRunner(): Promise<SandboxRunner> {
    const isConfined = policy.mode !== "danger-full-access";
    const sandbox = isConfined ? { sandbox: { backend: await findBackend(), stateFolder } } : {};
    return createCommandRunner({
      policy,
      environment,
      ...sandbox,
      elapsed: () => host.elapsed(),
      createId: host.newId,
    });
  }

  /** What could not be had now (too few open files) may be had for the next command. */
  function forgetRunner(error: unknown): never {
    runner = null;
    throw error;
  }

  return {
    policy,
    warnings,
    openRunner: () => (runner ??= createRunner().catch(forgetRunner)),
    explain: async () => explainSandbox({ policy, cwd, environment, backend: await findBackend() }),
    async [Symbol.asyncDispose]() {
      const opened = await runner?.catch(() => null); // who wanted it was told
      await opened?.[Symbol.asyncDispose]();
    },
  };
}
