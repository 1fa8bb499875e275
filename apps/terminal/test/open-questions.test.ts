import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTerminalWorld } from "./terminal-world.ts";

test.each(["start", "/resume"])(
  "a thread whose program was killed while it asked asks again, and continues with the answer: %s",
  async (how) => {
    const turns = [{ items: [{ call: "exec_command", arguments: { cmd: "touch made", login: false } }] }];
    await using world = await openTerminalWorld({
      turns,
      config: 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"',
    });
    const first = world.start({ prompt: "make it" });
    await first.shows("Run this command?");
    const [file = ""] = globSync("**/*.jsonl", { cwd: join(world.home, ".codex/sessions") });
    const path = join(world.home, ".codex/sessions", file);
    await expect.poll(() => readFileSync(path, "utf8")).toContain('"call.asked"');
    const atQuestion = readFileSync(path);
    await first.leave();
    writeFileSync(path, atQuestion); // as if it had been killed
    const second = world.start(how === "start" ? { from: { name: "last", all: false, copiedTurns: null } } : {});
    if (how === "/resume") {
      await second.shows("What should I work on?");
      second.type(`/resume ${/[0-9a-f-]{36}(?=\.jsonl)/.exec(path)?.[0] ?? ""}\r`);
    }
    await second.shows("It asks again");
    await second.shows("Run this command?");
    expect(existsSync(join(world.work, "made"))).toBe(false);
    await second.pass(1000);
    second.type("y");
    await second.shows("all finished");
    expect(existsSync(join(world.work, "made"))).toBe(true);
    expect(world.model.violations).toEqual([]);
  },
);
