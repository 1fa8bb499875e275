import type { ResolvedConfig } from "@unroll/config";
import type { Harness, HarnessOptions, Executor } from "@unroll/harness";
import type { ThreadStore } from "@unroll/protocol";

/** A harness that is held by one thread. */
interface HeldHarness extends AsyncDisposable {
  readonly harness: Harness;
}

/** The parts of a thread's harness. */
interface HarnessNeeds {
  readonly config: ResolvedConfig;
  readonly store: ThreadStore;
  /** Null: this machine. */
  readonly executor: Executor | null;
}

/** The harnesses of the threads: those whose MCP servers and folder are the same share one, which ends with the last of them. */
export interface HarnessPool {
  hold(needs: HarnessNeeds): Promise<HeldHarness>;
}

/** `options`: of every harness. */
export function createHarnessPool(options: HarnessOptions): HarnessPool {
  const open = new Map<string, { readonly harness: Promise<Harness>; holders: number }>();

  async function start({ config, store, executor }: HarnessNeeds): Promise<Harness> {
    const { openHarness } = await import("@unroll/harness");
    const host = { ...options.host, cwd: config.cwd };
    return openHarness({ ...options, host, config, store, ...(executor !== null && { executor }) });
  }

  return {
    async hold(needs) {
      const { cwd, mcpServers, provider } = needs.config;
      if (needs.executor !== null) {
        const harness = await start(needs);
        return { harness, [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose]() };
      }
      const key = JSON.stringify([cwd, mcpServers, provider]);
      const shared = open.get(key) ?? { harness: start(needs), holders: 0 };
      open.set(key, shared);
      shared.holders += 1;
      const leave = async (): Promise<void> => {
        shared.holders -= 1;
        if (shared.holders > 0) return;
        if (open.get(key) === shared) open.delete(key);
        const harness = await shared.harness.catch(() => null);
        await harness?.[Symbol.asyncDispose]();
      };
      try {
        return { harness: await shared.harness, [Symbol.asyncDispose]: leave };
      } catch (error) {
        await leave();
        throw error;
      }
    },
  };
}
