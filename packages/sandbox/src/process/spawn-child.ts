import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { kindOf, resolveIfAny } from "../files/path-facts.ts";
import type { ChildStart, Connection, ProcessLaunch } from "./child.ts";
import { MARKER_VARIABLE } from "./tree-members.ts";

type StreamConnection = Exclude<Connection["type"], "terminal">;

const STANDARD_STREAMS: Readonly<Record<StreamConnection, readonly ("ignore" | "pipe" | "inherit")[]>> = {
  output: ["ignore", "pipe", "pipe"],
  pipes: ["pipe", "pipe", "pipe"],
  inherited: ["inherit", "inherit", "inherit"],
};

/** `fds` become the child's descriptors from 3 on. */
export async function spawnChild(
  launch: ProcessLaunch,
  connection: StreamConnection,
  fds: readonly number[],
): Promise<ChildStart> {
  try {
    const child = spawn(launch.file, launch.args, {
      cwd: launch.cwd,
      env: { ...launch.environment, [MARKER_VARIABLE]: launch.marker },
      detached: true,
      stdio: [...STANDARD_STREAMS[connection], ...fds],
      windowsHide: true,
    });
    const { pid, stdin, stdout, stderr } = child;
    if (pid === undefined) {
      const failure: readonly unknown[] = await once(child, "error");
      return { type: "failed", message: explainFailure(launch, failure[0]) };
    }
    // The command may close its stdin, or end, while something is written to it.
    stdin?.on("error", () => {});
    return {
      type: "started",
      child: {
        pid,
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
    return { type: "failed", message: explainFailure(launch, error) };
  }
}

function explainFailure({ file, cwd }: ProcessLaunch, error: unknown): string {
  const folder = resolveIfAny(cwd);
  if (folder === null || kindOf(folder) !== "folder") return `The working folder ${cwd} does not exist.`;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return `There is no program ${file}, or its interpreter is missing.`;
    case "EACCES":
      if (!file.includes("/")) return `There is no program ${file} that may be executed.`;
      return `${file} may not be executed: it is not executable, or a folder on the way to it is closed.`;
    case "E2BIG":
      return "The argument list is too long for the system. Put the data into a file, or pass it through a pipe.";
    default:
      return `${file} could not be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}
