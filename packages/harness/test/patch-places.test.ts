import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const workspaceWrite = { config: ["sandbox_mode=workspace-write"] };

function addFile(path: string): object {
  return { custom: "apply_patch", input: `*** Begin Patch\n*** Add File: ${path}\n+text\n*** End Patch` };
}

test.for([
  "nest/.git/config",
  "nest/.git",
  ".agents/skills/a/SKILL.md",
  "nest/HEAD",
  "bare/config",
  "bare/hooks/post-update",
  "own/bundle.mjs",
  "hooks/pre-commit",
  "Team/GitConfig",
])("a patch does not write %s unasked", async (path) => {
  const turns = [{ items: [addFile(path)] as never }, { items: [{ text: "Done." }] }];
  await using world = await openThreadWorld({ script: { turns } });
  for (const folder of ["bare/objects", "own"]) await mkdir(join(world.work, folder), { recursive: true });
  await writeFile(join(world.work, "bare/HEAD"), "ref: refs/heads/main\n");
  await mkdir(join(world.work, ".git/objects/a"), { recursive: true });
  await mkdir(join(world.work, ".git/refs"));
  await writeFile(join(world.work, ".git/HEAD"), "ref: refs/heads/main\n");
  const settings = "[core]\nhooksPath = hooks\n[include]\npath = ../team/gitconfig\n";
  await writeFile(join(world.work, ".git/config"), settings);
  await using thread = await world.openThread({ ...workspaceWrite, ownFolders: [join(world.work, "own")] });
  await runToEnd(thread, "Go");
  expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain("Nobody is here to approve it");
  await expect(access(join(world.work, path))).rejects.toThrow("ENOENT");
});

test.for(["src/a.txt", "deep/down/.codex/config.toml"])("a patch writes %s, as a command may", async (path) => {
  const turns = [{ items: [addFile(path)] as never }, { items: [{ text: "Done." }] }];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread(workspaceWrite);
  await runToEnd(thread, "Go");
  await access(join(world.work, path));
  expect(world.model.violations).toEqual([]);
});

test.skipIf(!hasSandbox)("a command in the sandbox does not change what the program will still load", async () => {
  const call = {
    call: "exec_command",
    arguments: { cmd: "echo x >> own/bundle.mjs; mv own other", login: false },
  };
  const turns = [{ items: [call] }, { items: [{ text: "Done." }] }];
  await using world = await openThreadWorld({ script: { turns } }, { files: { "own/bundle.mjs": "" } });
  await using thread = await world.openThread({ ...workspaceWrite, ownFolders: [join(world.work, "own")] });
  await runToEnd(thread, "Go");
  const output = world.model.requests.at(-1)?.input.findLast(({ type }) => type === "function_call_output");
  expect(JSON.stringify(output)).toContain("Read-only file system");
  await access(join(world.work, "own/bundle.mjs"));
});
