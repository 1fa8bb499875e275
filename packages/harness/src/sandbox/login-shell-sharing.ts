import { join } from "node:path";
import type { LoginShells, ShellContext } from "@unroll/login-shell";
import type { CommandSpec } from "@unroll/protocol";
import type { SandboxRunner } from "@unroll/sandbox";
import type { Host } from "../host/host.ts";
import { findStateFolder } from "../host/state-folder.ts";

/**
 * Lets the threads of a harness share the user's profile: it runs once for all that start in the
 * same place and sandbox.
 */
export interface LoginShellSharing extends AsyncDisposable {
  /**
   * Wraps the runner. Commands of the form `bash -lc SCRIPT` start with the result of the profile,
   * without running it.
   */
  wrap(runner: SandboxRunner, surroundings: Omit<ShellContext, "runner">): SandboxRunner;
}

/** Loads its parts with the first such command. */
export function createLoginShellSharing(host: Host): LoginShellSharing {
  let shells: Promise<LoginShells> | null = null;

  async function open(): Promise<LoginShells> {
    const { createLoginShells } = await import("@unroll/login-shell");
    const folder = join(findStateFolder(host), "logins", host.newId());
    return createLoginShells({ folder, createId: host.newId, now: host.now, elapsed: () => host.elapsed() });
  }

  return {
    wrap(runner, surroundings) {
      const around = { ...surroundings, runner };
      const enter = async <Spec extends CommandSpec>(spec: Spec, signal: AbortSignal): Promise<Spec> =>
        spec.argv[1] === "-lc" ? (await (shells ??= open())).enter(spec, around, signal) : spec;
      return {
        ...runner,
        async *run(spec, signal) {
          return yield* runner.run(await enter(spec, signal), signal);
        },
        startBackgroundCommand: async (spec, signal) =>
          runner.startBackgroundCommand(await enter(spec, signal), signal),
      };
    },
    async [Symbol.asyncDispose]() {
      await (await shells?.catch(() => null))?.[Symbol.asyncDispose]();
    },
  };
}
