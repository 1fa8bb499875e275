import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startScriptedModel } from "@unroll/scripted-model";
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
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    TERM: "xterm",
    TMUX_TMPDIR: home,
    HISTFILE: "", // else the shell writes one when it is ended, into a folder that is being removed
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  };
  const own = ["-L", "test", "-f", "/dev/null"];
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await run("tmux", [...own, ...args], { env })).stdout;
  await tmux("new-session", "-d", "-x", "90", "-y", "30", "-c", work, "bash --norc --noprofile -i");
  // tmux reports each change on the screen to this client
  const watcher = spawn("tmux", [...own, "-C", "attach", "-f", "ignore-size"], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  let written = 0;
  watcher.stdout.on("data", () => (written += 1));
  const screen = (): Promise<string> => tmux("capture-pane", "-p", "-S", "-");
  return {
    screen,
    type: (text: string) => tmux("send-keys", "-l", text),
    press: (key: string) => tmux("send-keys", key),
    start: async () => tmux("send-keys", "-l", `${main}\n`),
    async shows(text: string): Promise<void> {
      for (;;) {
        const before = written;
        if ((await screen()).includes(text)) return;
        if (before === written) await once(watcher.stdout, "data");
      }
    },
    async [Symbol.asyncDispose]() {
      await tmux("kill-server");
      if (watcher.exitCode === null) await once(watcher, "exit");
    },
  };
}

// without tmux there is nothing to try it in
test.skipIf(!hasTmux())("in tmux it answers, is suspended and resumed, and leaves the shell as it was", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-tmux-test-"));
  const [home, work] = [join(folder.path, "home"), join(folder.path, "work")];
  for (const path of [join(home, ".codex"), work]) await mkdir(path, { recursive: true });
  await using model = await startScriptedModel({ respond: () => ({ items: [{ text: "A plan for tea" }] }) });
  const provider = `[model_providers.test]\nname = "Test"\npreset = "openai"\nbase_url = "${model.url}"\n`;
  await writeFile(
    join(home, ".codex/config.toml"),
    `model = "gpt-5-codex"\nmodel_provider = "test"\nsandbox_mode = "read-only"\n${provider}`,
  );
  await using at = await openTmux(home, work);
  await at.type("echo before\n");
  await at.start();
  await at.shows("gpt-5-codex");
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
  await at.shows("To continue: unroll resume ");
  await at.type("echo after\n");
  await at.shows("\nafter");
  const screen = await at.screen();
  expect(["\nbefore", "A plan for tea", "\nmeanwhile"].filter((text) => !screen.includes(text))).toEqual([]);
});
