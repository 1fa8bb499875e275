import { probeSandbox, type SandboxBackend } from "@unroll/sandbox";

type ProbeOptions = Parameters<typeof probeSandbox>[0];

/** What can build walls here, looked for once for each policy and place, however many threads have them. */
export interface SandboxBackends {
  find(options: ProbeOptions): Promise<SandboxBackend>;
}

export function createSandboxBackends(): SandboxBackends {
  const found = new Map<string, Promise<SandboxBackend>>();
  return {
    find(options) {
      const { policy, cwd, stateFolder, environment } = options;
      const key = JSON.stringify([policy, cwd, stateFolder, environment]);
      const looking = found.get(key) ?? probeSandbox(options);
      found.set(key, looking);
      return looking;
    },
  };
}
