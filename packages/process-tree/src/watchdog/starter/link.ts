import { arch, platform } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { once } from "@unroll/flow";
import { type ControlGroup, membersFile } from "../../group/control-group.ts";
import { endScript } from "../end-script.ts";
import { closeGuard, guardSurroundings, isRunning, unref, type GuardOptions } from "../guard.ts";
import { createLateReport } from "../late-report.ts";
import { findShell, findSystemProgram } from "../../program/find-system-program.ts";
import { type LentChannel, messageCalls } from "../../spawn/borrow-channel.ts";
import { spawnProgram } from "../../program/spawn-program.ts";
import { encodeMessage } from "./encode-message.ts";
import { starterProgram } from "./program.ts";

/** A starter's process, and the messages between it and us. */
export interface StarterLink {
  readonly pid: number;
  /** Where it lends its channel; null: it has none. */
  readonly hatch: Pick<LentChannel, "name" | "secret"> | null;
  readonly isRunning: () => boolean;
  /** `soon`: usually together with the next message. */
  readonly say: (message: readonly string[], when: "now" | "soon") => void;
  /** Whether the system accepted the messages said `now`; if not, certainly nobody has read them. */
  readonly wasSaid: () => Promise<boolean>;
  /** Keeps the harness alive while a response is awaited: +1, and -1 when it has come. */
  readonly hold: (change: 1 | -1) => void;
  /** Continues it, in case it was stopped (SIGSTOP). */
  readonly wake: () => void;
  /** Kills it. */
  readonly abandon: () => void;
  /** Resolves when it is gone. */
  readonly close: (message: readonly string[] | null) => Promise<void>;
}

export interface LinkOptions extends GuardOptions {
  /**
   * The group of the processes that it starts. When the harness ends, it kills what is left there
   * and removes the group. Null: none.
   */
  readonly group: ControlGroup | null;
  /** As of `WatchdogOptions`; null: no process hands over a socket. */
  readonly newSecret: (() => string) | null;
}

interface LinkEars {
  readonly hear: (line: string) => void;
  /** A process has handed over a listening socket: see `readOffer`. */
  readonly take: (message: unknown, handle: unknown) => void;
  /** It is gone, and everything that it said was read. */
  readonly gone: () => void;
}

/** Part of the smallest Debian, and required by git there; common elsewhere. */
const findPerl = once(() => findSystemProgram("perl"));
/** The number of the system call setsid. */
const setsidNumbers: Readonly<Partial<Record<NodeJS.Architecture, number>>> = { x64: 112, arm64: 157 };

/** Null: nothing could run it. */
export function openStarterLink(
  { mark, graceSeconds, group, newSecret }: LinkOptions,
  ears: LinkEars,
): StarterLink | null {
  const setsid = setsidNumbers[arch()];
  const [perl, shell] = [findPerl(), findShell()];
  if (platform() !== "linux" || setsid === undefined || perl === null || shell === null) return null;
  const send = messageCalls[arch()]?.[0];
  const hatch = newSecret && send !== undefined ? { name: `unroll-${newSecret()}`, secret: newSecret() } : null;
  const channel = hatch === null ? "" : `${hatch.name} ${hatch.secret} ${send}`;
  const parameters = [mark, String(graceSeconds), String(setsid), shell, endScript, channel, ...toMoves(group)];
  const helper = spawnProgram(perl, ["-e", starterProgram, "--", ...parameters], {
    ...guardSurroundings,
    stdio: ["pipe", "pipe", "ignore", ...(hatch ? (["ipc"] as const) : [])],
  });
  unref(helper);
  const { stdin, stdout } = helper;
  if (helper.pid === undefined || stdin === null || stdout === null) return null;
  hearLines(stdout, ears.hear);
  helper.channel?.unref();
  helper.on("message", ears.take);
  helper.on("close", ears.gone);
  const waiting: Buffer[] = [];
  let written = Promise.resolve(true);
  const report = createLateReport(() => {
    const messages = Buffer.concat(waiting.splice(0));
    written = new Promise((resolve) => stdin.write(messages, (error) => resolve(!error)));
  });
  let held = 0;
  let isClosing = false;

  return {
    pid: helper.pid,
    hatch,
    isRunning: () => isRunning(helper),
    say(message, when) {
      waiting.push(encodeMessage(message));
      if (when === "now") report.atOnce();
      else report.soon();
    },
    wasSaid: () => written,
    hold(change) {
      held += change;
      helper[held === 0 && !isClosing ? "unref" : "ref"]();
    },
    wake: () => helper.kill("SIGCONT"),
    abandon: () => helper.kill("SIGKILL"),
    close(message) {
      isClosing = true; // its end is awaited, whatever else ends meanwhile
      report.stop();
      return closeGuard(helper, { farewell: message === null ? "" : encodeMessage(message), graceSeconds });
    },
  };
}

/**
 * A process that writes its number to the first of these joins the group; writing to the last ones
 * leaves it.
 */
function toMoves(group: LinkOptions["group"]): readonly string[] {
  return [...(group?.folders ?? []), ...(group?.outside ?? [])].map((folder) => join(folder, membersFile));
}

function hearLines(stream: Readable, hear: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("latin1").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  });
}
