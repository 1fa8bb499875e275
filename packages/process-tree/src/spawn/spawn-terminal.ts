import { readlinkSync } from "node:fs";
import { constants } from "node:os";
import { Readable } from "node:stream";
import type { TerminalSize } from "@unroll/protocol";
import type { IPty } from "node-pty";
import { describeThrown } from "@unroll/text";
import { markerVariable } from "../tree/process-tree.ts";
import { asFirstToGo } from "./as-first-to-go.ts";
import { borrowChannel, type LentChannel } from "./borrow-channel.ts";
import type { ChildStart } from "./child.ts";
import { requireShell } from "../program/find-system-program.ts";
import type { ProcessLaunch } from "./process-launch.ts";

/** `spawnChild` in a new terminal. node-pty is native code, so only this file loads it. */
export async function spawnTerminal(
  launch: ProcessLaunch,
  size: TerminalSize,
  { fds, channel }: TerminalDescriptors,
): Promise<ChildStart> {
  try {
    const { spawn } = await loadTerminals();
    const passed = launch.takeListener ? channel && borrowChannel(launch, fds, channel) : passDescriptors(launch, fds);
    if (passed === null) throw new Error("the process that starts commands has ended, so this one could reach no host");
    const { file, args } = passed;
    const start = (): IPty =>
      spawn(file, [...args], {
        cols: size.columns,
        rows: size.rows,
        cwd: launch.cwd,
        env: { ...launch.environment, [markerVariable]: launch.marker },
        encoding: null,
      });
    const terminal = launch.endsFirst === true ? asFirstToGo(start) : start();
    let isOpen = true;
    terminal.onExit(() => {
      isOpen = false;
      channel?.release();
    });
    return {
      type: "started",
      child: {
        pid: terminal.pid,
        stdin: null,
        outputs: { stdout: toReadable(terminal) },
        onExit: (listener) => {
          terminal.onExit(({ exitCode, signal = 0 }) => {
            listener(signal === 0 ? { exitCode, signal: null } : { exitCode: 128 + signal, signal: nameOf(signal) });
          });
        },
        write: (text) => isOpen && terminal.write(text),
        resize: ({ columns, rows }) => isOpen && terminal.resize(columns, rows),
      },
    };
  } catch (error) {
    channel?.release();
    const reason = describeThrown(error);
    return { type: "failed", reason: "other", message: `No terminal could be opened for ${launch.file}: ${reason}` };
  }
}

/** The descriptors of a process in a terminal. */
interface TerminalDescriptors {
  /** As of `SpawnContext`. */
  readonly fds: readonly number[];
  /** For `takeListener` of the launch; null: there is none to lend. */
  readonly channel: LentChannel | null;
}

/** An optional package: without it, commands run but have no terminals. */
async function loadTerminals(): Promise<typeof import("node-pty")> {
  try {
    return await import("node-pty");
  } catch (error) {
    throw new Error("the optional package node-pty is not installed here: npm install node-pty", { cause: error });
  }
}

/** node-pty passes no descriptors on, so a shell reopens them through the harness's own links to them. */
function passDescriptors(
  { file, args }: ProcessLaunch,
  fds: readonly number[],
): { readonly file: string; readonly args: readonly string[] } {
  if (fds.length === 0) return { file, args };
  const harness = readlinkSync("/proc/self");
  const openings = fds.map((fd, index) => `${index + 3}<>/proc/${harness}/fd/${fd}`);
  return { file: requireShell(), args: ["-c", `exec ${openings.join(" ")}; exec "$0" "$@"`, file, ...args] };
}

/** A slow reader slows the terminal down. */
function toReadable(terminal: IPty): Readable {
  const readable = new Readable({ read: () => terminal.resume() });
  // With `encoding: null` the data are bytes, whatever the type says.
  terminal.onData((data) => {
    if (!readable.push(data)) terminal.pause();
  });
  terminal.onExit(() => readable.push(null));
  return readable;
}

function nameOf(signal: number): string {
  return Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? `signal ${signal}`;
}
