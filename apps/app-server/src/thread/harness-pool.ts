import type { ResolvedConfig } from "@unroll/config";
import type { Harness, HostEnvironment } from "@unroll/harness";
import { toUserAgent } from "@unroll/program";
import type { ThreadStore } from "@unroll/protocol";

/** A harness that is held by one thread. */
interface HeldHarness extends AsyncDisposable {
  readonly harness: Harness;
}

/** The harnesses of the threads: those whose MCP servers and folder are the same share one, which ends with the last of them. */
export interface HarnessPool {
  hold(config: ResolvedConfig, store: ThreadStore): Promise<HeldHarness>;
}

export function createHarnessPool(host: HostEnvironment): HarnessPool {
  const open = new Map<string, { readonly harness: Promise<Harness>; holders: number }>();

  async function start(config: ResolvedConfig, store: ThreadStore): Promise<Harness> {
    const { openHarness } = await import("@unroll/harness");
    const own = { ...host, cwd: config.cwd };
    return openHarness({ host: own, config, userAgent: toUserAgent("unroll_app_server", host), store });
  }

  return {
    async hold(config, store) {
      const key = JSON.stringify([config.cwd, config.mcpServers, config.provider]);
      const shared = open.get(key) ?? { harness: start(config, store), holders: 0 };
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
