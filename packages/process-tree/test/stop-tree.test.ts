import { once } from "node:events";
import { spawnChild, stopTree, type ProcessTree } from "@unroll/process-tree";
import { expect, it } from "vitest";
import { launchOf, parent } from "./fixture/parent.ts";
import { living, untilGone } from "./fixture/processes.ts";

interface StartedTree extends ProcessTree {
  readonly pids: readonly number[];
  readonly exit: Promise<string | null>;
}

async function startTree(behaviour: "plain" | "stubborn"): Promise<StartedTree> {
  const launch = launchOf(process.execPath, ["-e", parent, behaviour]);
  const start = await spawnChild(launch, "pipes", []);
  if (start.type === "failed") throw new Error(start.message);
  const { pid, outputs, onExit } = start.child;
  const exit = new Promise<string | null>((resolve) => onExit(({ signal }) => resolve(signal)));
  const [line] = (await once(outputs.stdout ?? process.stdin, "data")) as [Buffer];
  return { leader: pid, marker: launch.marker, pids: JSON.parse(String(line)) as number[], exit };
}

it("a tree ends by SIGTERM, with what left its group", async () => {
  const tree = await startTree("plain");
  await stopTree(tree);
  expect(living(tree.pids)).toEqual([]);
  expect(await tree.exit).toBe("SIGTERM");
});

it("a tree that ignores SIGTERM ends after its grace", async () => {
  const tree = await startTree("stubborn");
  await stopTree(tree, { quietMs: 0, termMs: 20, killMs: 5_000 });
  expect(living(tree.pids)).toEqual([]);
  expect(await tree.exit).toBe("SIGKILL");
});

it("a tree that ends by itself in the quiet before SIGTERM gets no signal", async () => {
  const launch = launchOf("sh", ["-c", "read line; exit 7"]);
  const start = await spawnChild(launch, "pipes", []);
  if (start.type === "failed") throw new Error(start.message);
  const exit = new Promise((resolve) => start.child.onExit(resolve));
  start.child.stdin?.end();
  await stopTree({ leader: start.child.pid, marker: launch.marker }, { quietMs: 20_000, termMs: 0, killMs: 0 });
  expect(await exit).toEqual({ exitCode: 7, signal: null });
});

it("what is left of a tree whose first process has ended is found", async () => {
  const tree = await startTree("plain");
  process.kill(tree.leader, "SIGKILL");
  await untilGone([tree.leader]);
  await stopTree(tree);
  expect(living(tree.pids)).toEqual([]);
});
