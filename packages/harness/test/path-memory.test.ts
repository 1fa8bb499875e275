import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { defineTool } from "@unroll/tools";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

/** Only the working folder may be written, so that the home is a place that is remembered. */
const config = [
  "sandbox_mode=workspace-write",
  "approval_policy=on-request",
  "sandbox_workspace_write.exclude_slash_tmp=true",
  "sandbox_workspace_write.exclude_tmpdir_env_var=true",
];

const command = (cmd: string, more: object = {}): object => ({ call: "exec_command", arguments: { cmd, ...more } });
const outside = { sandbox_permissions: "require_escalated", justification: "To set it up." };
/** In a folder that git obeys from now on, a command makes a hook; nothing else stops it. */
const attack = command(
  "mkdir -p hooks && echo 'touch stolen' > hooks/pre-commit && chmod +x hooks/pre-commit; ls hooks",
);

const ways: Readonly<Record<string, (home: string, work: string) => object>> = {
  "a command outside of the sandbox": (_home, work) =>
    command(`git config --global core.hooksPath ${work}/hooks`, outside),
  "a patch outside of the workspace": (home, work) => ({
    custom: "apply_patch",
    input: `*** Begin Patch\n*** Add File: ${home}/.gitconfig\n+[core]\n+  hooksPath = ${work}/hooks\n*** End Patch`,
  }),
  "a tool of the program": () => ({ call: "configure", arguments: {} }),
};

test.skipIf(!hasSandbox).for(Object.entries(ways))(
  "what git obeys since %s, a command of the same turn cannot make",
  async ([, toCall]) => {
    const turns = [command("true"), command("true")].map((call) => ({ items: [call] as never }));
    const script: { turns: unknown[] } = { turns };
    await using world = await openThreadWorld({ script: script as never });
    const { home, work } = world;
    script.turns.push({ items: [toCall(home, work)] }, { items: [attack] }, { items: [{ text: "Done." }] });
    const configure = defineTool({
      name: "configure",
      description: "Configures git.",
      input: z.strictObject({}),
      run: async () => {
        await writeFile(join(home, ".gitconfig"), `[core]\n  hooksPath = ${work}/hooks\n`);
        return "done";
      },
    });
    const person = { approve: () => Promise.resolve({ type: "approved.once" } as const) };
    await using thread = await world.openThread({ config, permissions: [], person, tools: [configure] });
    await runToEnd(thread, "go");
    expect(await readFile(join(home, ".gitconfig"), "utf8")).toContain("hooks");
    expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain(`unroll: ${work}/hooks was`);
  },
);

test.skipIf(!hasSandbox)("what you change yourself counts from the next turn on at the latest", async () => {
  const end = { items: [{ text: "Done." }] };
  const turns = [{ items: [command("true")] as never }, end, { items: [attack] as never }, end];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread({ config, permissions: [] });
  await mkdir(join(world.work, ".git"));
  await runToEnd(thread, "go");
  await writeFile(join(world.home, ".gitconfig"), `[core]\n  hooksPath = ${world.work}/hooks\n`);
  await runToEnd(thread, "go");
  expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain(`unroll: ${world.work}/hooks was`);
});

test.skipIf(!hasSandbox)(
  "the sandbox's empty folders stay for the next command, and are gone when the turn is over",
  async () => {
    const { setTimeout: start } = globalThis;
    const isIdle = (ms: unknown): boolean => ms === 10_000;
    using _never = vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation(((work: () => void, ms?: number) =>
        start(work, isIdle(ms) ? 2 ** 31 - 1 : ms)) as typeof start);
    const turns = [
      { items: [command("true")] as never },
      { items: [command("ls -A")] as never },
      { items: [{ text: "Done." }] },
    ];
    await using world = await openThreadWorld({ script: { turns } });
    await using thread = await world.openThread({ config, permissions: [] });
    await runToEnd(thread, "go");
    expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain(".agents");
    await expect.poll(() => readdir(world.work), { timeout: 60_000 }).toEqual([]);
  },
);
