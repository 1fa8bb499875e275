import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const command = (text: string): object => ({
  call: "exec_command",
  arguments: { cmd: text, login: false, yield_time_ms: 300_000 }, // a busy machine is slow
});

async function openWorld(...commands: readonly string[]): Promise<ThreadWorld> {
  const turns = commands.map((text) => ({ items: [command(text)] as never }));
  return openThreadWorld({ script: { turns: [...turns, { items: [{ text: "Done." }] }] } });
}

function outputsOf(world: ThreadWorld): readonly string[] {
  const input = world.model.requests.at(-1)?.input ?? [];
  return input.flatMap((item) => (typeof item["output"] === "string" ? [item["output"]] : []));
}

const folderOf = (world: ThreadWorld): string => join(world.home, ".local/state/unroll/sandbox/outputs");

describe("long output", () => {
  test("lies whole in a file of this user's alone, until the thread is closed", async () => {
    await using world = await openWorld("seq 1 20000", "echo short");
    const thread = await world.openThread();
    await runToEnd(thread, "Go");
    const [long = "", short] = outputsOf(world);
    const path = join(folderOf(world), thread.id, "output-1.txt");
    expect(long).toContain(`\nTotal output lines: 20000\nWhole output: ${path}\nOutput:\n1\n2\n`);
    expect(short).toMatch(/\nOutput:\nshort\n$/);
    const text = await readFile(path, "utf8");
    expect(text).toBe(Array.from({ length: 20_000 }, (_none, index) => `${index + 1}\n`).join(""));
    const modes = await Promise.all([path, join(path, "..")].map(async (each) => (await stat(each)).mode & 0o777));
    expect(modes).toEqual([0o600, 0o700]);
    expect(await readdir(join(path, ".."))).toEqual(["output-1.txt"]);

    await thread[Symbol.asyncDispose]();
    expect(await readdir(folderOf(world))).toEqual([]);
  });

  test.skipIf(!hasSandbox)("can be read on in the sandbox, and not be changed there", async () => {
    const path = `"$HOME"/.local/state/unroll/sandbox/outputs/*/output-1.txt`;
    await using world = await openWorld("seq 1 20000", `sed -n 10000p ${path}; echo x >> ${path}`);
    await using thread = await world.openThread({ config: ["sandbox_mode=workspace-write"] });
    await runToEnd(thread, "Go");
    const [long = "", read] = outputsOf(world);
    expect(long).toContain("Whole output: ");
    expect(read).toMatch(/\n10000\n/);
    expect(read).toContain("Read-only file system");
  });

  test("cannot be led astray by a command that makes its folder first", async () => {
    const state = '"$HOME"/.local/state';
    await using world = await openWorld(`mkdir -p ${state}/unroll; ln -s /tmp ${state}/unroll/sandbox`, "seq 1 20000");
    await using thread = await world.openThread({ config: ["sandbox_mode=workspace-write"] });
    await runToEnd(thread, "Go");
    expect(outputsOf(world)[0]).not.toContain("Exit code: 0");
    expect((await lstat(join(folderOf(world), ".."))).isSymbolicLink()).toBe(false);
  });

  test("of any size takes the same memory, and no more of the disk than its file may", async () => {
    await using world = await openWorld("yes | head -c 70000000");
    await using thread = await world.openThread();
    const collect = exposeCollector();
    const before = collect();
    let peak = 0;
    let seen = 0;
    for await (const event of thread.run("Go", { signal: new AbortController().signal })) {
      if (event.type !== "item.delta") continue;
      seen += event.delta.length;
      if (seen > 16_000_000) {
        peak = Math.max(peak, collect() - before);
        seen = 0;
      }
    }
    expect(peak).toBeLessThan(8_000_000);
    const path = join(folderOf(world), thread.id, "output-1.txt");
    expect(outputsOf(world)[0]).toContain(
      `\nTotal output lines: 35000000\nOutput, its first 67108864 bytes: ${path}\n`,
    );
    expect((await stat(path)).size).toBe(67_108_864);
  });
});

/**
 * Returns a function that counts the bytes in use. It collects garbage twice, because memory outside the heap that one
 * collection finds is freed in parallel, and the second one waits for that.
 */
function exposeCollector(): () => number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return () => {
    if (typeof collect === "function") for (let round = 0; round < 2; round += 1) collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
}
