import { listSecretValues, type ResolvedConfig } from "@unroll/config";
import {
  type CommandRunner,
  createCommandRunner,
  explainSandbox,
  filterEnvironment,
  findStateFolder,
  probeSandbox,
  type SandboxBackend,
  type SandboxExplanation,
} from "@unroll/sandbox";
import type { HostEnvironment } from "../host/host-environment.ts";
import { makeStateFolder } from "../host/state-folder.ts";

/** What stands around the commands of a thread. Looked for when it is first needed, and once. */
export interface Sandbox extends AsyncDisposable {
  /** Runs commands under the config's policy. */
  openRunner(): Promise<CommandRunner>;
  /** For a person: what is enforced, what is not, and by what. */
  explain(): Promise<SandboxExplanation>;
}

type SandboxPlace = Omit<Parameters<typeof probeSandbox>[0], "createId">;

/** The sandbox that the config asks for. Commands get no credential of ours in their environment, whatever it says. */
export function openSandbox(config: ResolvedConfig, host: HostEnvironment): Sandbox {
  const { sandboxPolicy: policy, cwd: workspace } = config;
  const credentials = { names: config.secretNames, values: listSecretValues(config, host.env) };
  const environment = filterEnvironment(host.env, config.shellEnvironmentPolicy, credentials);
  let place: SandboxPlace | null = null;
  let backend: Promise<SandboxBackend> | null = null;
  let runner: Promise<CommandRunner> | null = null;

  /** Looked up with the first command: it touches the disk. */
  function findPlace(): SandboxPlace {
    if (place !== null) return place;
    const own = makeStateFolder(host);
    return (place = {
      policy,
      workspace,
      environment,
      stateFolder: findStateFolder(own),
      readOnlyFolders: [own, ...host.ownFolders],
    });
  }

  function findBackend(): Promise<SandboxBackend> {
    return (backend ??= probeSandbox({ ...findPlace(), createId: host.newId }));
  }

  async function createRunner(): Promise<CommandRunner> {
    const isConfined = policy.mode !== "danger-full-access";
    const sandbox = isConfined ? { sandbox: { backend: await findBackend(), ...findPlace() } } : {};
    return createCommandRunner({ ...findPlace(), ...sandbox, now: host.elapsed, createId: host.newId });
  }

  return {
    openRunner: () => (runner ??= createRunner()),
    explain: async () => explainSandbox({ ...findPlace(), backend: await findBackend() }),
    async [Symbol.asyncDispose]() {
      await (await runner)?.[Symbol.asyncDispose]();
    },
  };
}
