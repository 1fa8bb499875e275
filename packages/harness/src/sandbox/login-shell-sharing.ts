import { join } from "node:path";
import type { LoginShells, ShellContext } from "@unroll/login-shell";
import type { CommandSpec } from "@unroll/protocol";
import type { SandboxRunner } from "@unroll/sandbox";
import type { Host } from "../host/host.ts";
import { findStateFolder } from "../host/state-folder.ts";

/** What the threads of a harness share of the user's profile: each runs once for all that start in the same place and walls. */
export interface LoginShellSharing extends AsyncDisposable {
  /** The runner, whose commands of the form `bash -lc SCRIPT` start in what the profile left, without running it. */
  wrap(runner: SandboxRunner, surroundings: Omit<ShellContext, "runner">): SandboxRunner;
}

/** Loads what it needs with the first such command. */
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
