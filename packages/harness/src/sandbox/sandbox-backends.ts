import { probeSandbox, type SandboxBackend } from "@unroll/sandbox";

type ProbeOptions = Parameters<typeof probeSandbox>[0];

/** What can build walls here, looked for once for each policy and place, however many threads have them. */
export interface SandboxBackends {
  find(options: ProbeOptions): Promise<SandboxBackend>;
}

export function createSandboxBackends(): SandboxBackends {
  const found = new Map<string, Promise<SandboxBackend>>();

  /** A look that failed (too few open files) is made again the next time. */
  async function look(key: string, options: ProbeOptions): Promise<SandboxBackend> {
    try {
      return await probeSandbox(options);
    } catch (error) {
      found.delete(key);
      throw error;
    }
  }

  return {
    find(options) {
      const { policy, cwd, stateFolder, environment } = options;
      const key = JSON.stringify([policy, cwd, stateFolder, environment]);
      const looking = found.get(key) ?? look(key, options);
      found.set(key, looking);
      return looking;
    },
  };
}
