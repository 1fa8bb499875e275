import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { markerVariable } from "../tree/process-tree.ts";
import { asFirstToGo } from "./as-first-to-go.ts";
import type { ChildStart, StreamConnection } from "./child.ts";
import { readOffer } from "./listener.ts";
import type { ProcessLaunch } from "./process-launch.ts";
import { toSpawnFailure } from "./spawn-failure.ts";

const standardStreams: Readonly<Record<StreamConnection, readonly ("ignore" | "pipe" | "inherit")[]>> = {
  output: ["ignore", "pipe", "pipe"],
  pipes: ["pipe", "pipe", "pipe"],
  inherited: ["inherit", "inherit", "inherit"],
};

/**
 * Starts a process in a session and group of its own. It gets `fds` as descriptors 3 and up; the
 * launch's `inputs` are ignored. The caller owns the tree: tell a `Watchdog`, and call `stopTree`
 * in the end.
 */
export async function spawnChild(
  launch: ProcessLaunch,
  connection: StreamConnection,
  fds: readonly number[],
): Promise<ChildStart> {
  const { takeListener } = launch;
  try {
    const start = (): ChildProcess =>
      spawn(launch.file, launch.args, {
        cwd: launch.cwd,
        env: { ...launch.environment, [markerVariable]: launch.marker },
        detached: true,
        stdio: [...standardStreams[connection], ...fds, ...(takeListener ? (["ipc"] as const) : [])],
        windowsHide: true,
      });
    const child = launch.endsFirst === true ? asFirstToGo(start) : start();
    const { pid, stdin, stdout, stderr } = child;
    if (pid === undefined) {
      const failure: readonly unknown[] = await once(child, "error");
      return toSpawnFailure(launch, failure[0]);
    }
    stdin?.on("error", () => {});
    if (takeListener) {
      child.channel?.unref();
      child.on("message", (message, handle) => {
        if (readOffer(message) === launch.marker) takeListener(handle);
      });
    }
    return {
      type: "started",
      child: {
        pid,
        stdin,
        outputs: { ...(stdout && { stdout }), ...(stderr && { stderr }) },
        onExit: (listener) => {
          child.once("exit", (code, signal) => {
            listener({ exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), signal });
          });
        },
        write: (text) => stdin?.write(text),
        resize: () => {},
      },
    };
  } catch (error) {
    return toSpawnFailure(launch, error);
  }
}
