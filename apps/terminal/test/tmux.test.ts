import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
/** As a person has it after `npm start`: it runs the bundle, so `pnpm build` comes first. */
const main = join(import.meta.dirname, "../../../bin/unroll");

function hasTmux(): boolean {
  try {
    execFileSync("tmux", ["-V"]);
    return true;
  } catch {
    return false;
  }
}

/** The real program under a shell, in a tmux of its own. */
async function openTmux(home: string, work: string) {
  const socket = `unroll-test-${randomUUID()}`;
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (
      await run("tmux", ["-L", socket, "-f", "/dev/null", ...args], {
        env: {
          PATH: process.env["PATH"],
          HOME: home,
          TERM: "xterm",
          HISTFILE: "", // else the shell writes one when it is ended, into a folder that is being removed
          NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        },
      })
    ).stdout;
  await tmux("new-session", "-d", "-x", "90", "-y", "30", "-c", work, "bash --norc --noprofile -i");
  const screen = (): Promise<string> => tmux("capture-pane", "-p", "-S", "-");
  return {
    screen,
    type: (text: string) => tmux("send-keys", "-l", text),
    press: (key: string) => tmux("send-keys", key),
    start: async () => tmux("send-keys", "-l", `${main}\n`),
    async shows(text: string): Promise<void> {
      for (let tries = 0; tries < 300; tries += 1) {
        if ((await screen()).includes(text)) return;
        await sleep(50); // tmux tells nobody of what it shows
      }
      throw new Error(`tmux does not show ${text}:\n${await screen()}`);
    },
    [Symbol.asyncDispose]: async () => void (await tmux("kill-server")),
  };
}

// without tmux there is nothing to try it in
test.skipIf(!hasTmux())(
  "in tmux it answers, is suspended and gone on with, and leaves the shell as it was",
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-tmux-test-"));
    const [home, work] = [join(folder.path, "home"), join(folder.path, "work")];
    for (const path of [home, work]) await mkdir(path);
    await using at = await openTmux(home, work);
    await at.type("echo before\n");
    await at.start();
    await at.shows("Who is to answer?");
    await at.shows("just look around");
    await sleep(600); // keys count when none came for a while
    await at.press("4");
    await at.shows("unroll-demo");
    await at.type("make a plan for tea");
    await at.press("Enter");
    await at.shows("tokens:");
    await at.press("C-z");
    await at.shows("Stopped");
    await at.type("echo meanwhile; fg\n");
    await at.type("still here");
    await at.shows("› still here");
    await at.press("C-c");
    await at.press("C-d");
    await at.shows("To go on: unroll resume ");
    await at.type("echo after\n");
    await at.shows("\nafter");
    const screen = await at.screen();
    expect(["\nbefore", "A plan for tea", "\nmeanwhile"].filter((text) => !screen.includes(text))).toEqual([]);
  },
);
