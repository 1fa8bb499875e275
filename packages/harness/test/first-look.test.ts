import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { waitUntil } from "@unroll/sandbox/fixture/processes";
import { whyNoSandbox } from "@unroll/sandbox/fixture/sandbox";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const folders = 1_100;
const workspaceWrite = ["sandbox_mode=workspace-write", "approval_policy=never"];

describe.skipIf(whyNoSandbox !== null)("the first look at a large workspace", () => {
  it("is taken while the model answers, before any command, and the first command waits for it", async () => {
    await using world = await openWorld("1/1/new");
    await using thread = await world.openThread({ permissions: workspaceWrite });
    const { events, outcome } = await runToEnd(thread, "Go.");
    expect(outcome).toMatchObject({ finalMessage: "Done." });
    const outputs = events.flatMap((event) =>
      event.type === "item.completed" && event.item.type === "command_execution" ? [event.item.aggregated_output] : [],
    );
    expect(outputs.join("")).toContain("a later git outside the sandbox would obey core.fsmonitor");
  });
});

/** Its model answers only when every folder is watched; then it makes a repository that runs a program. */
async function openWorld(repository: string): ReturnType<typeof openThreadWorld> {
  const command = `git init -q ${repository} && git -C ${repository} config core.fsmonitor ./evil`;
  const world = await openThreadWorld({
    async respond(_request, index) {
      if (index > 0) return { items: [{ text: "Done." }] };
      await waitUntil(() => countWatches() > folders);
      return { items: [{ call: "exec_command", arguments: { cmd: command } }] };
    },
  });
  makeFolders(world.work);
  return world;
}

function makeFolders(work: string): void {
  for (let index = 0; index < folders; index += 1)
    mkdirSync(join(work, String(index % 11), String(index)), { recursive: true });
}

/** The folders that children of this process watch. */
function countWatches(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  return children
    .flatMap(listFiles)
    .join("\n")
    .split("\n")
    .filter((line) => line.startsWith("inotify ")).length;
}

function listFiles(child: string): readonly string[] {
  try {
    const folder = `/proc/${child}/fdinfo`;
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  } catch {
    return []; // it has ended
  }
}
