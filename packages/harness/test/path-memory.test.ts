import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { defineTool, type Tool } from "@unroll/tools";
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

const patchHome = (home: string, work: string): object => ({
  custom: "apply_patch",
  input: `*** Begin Patch\n*** Add File: ${home}/.gitconfig\n+[core]\n+  hooksPath = ${work}/hooks\n*** End Patch`,
});

const ways: Readonly<Record<string, (home: string, work: string) => object>> = {
  "a command outside of the sandbox": (_home, work) =>
    command(`git config --global core.hooksPath ${work}/hooks`, outside),
  "a patch outside of the workspace": patchHome,
  "a tool of the program": () => ({ call: "configure", arguments: {} }),
  "a tool of the program with the name of one of ours": () => ({ call: "web_search", arguments: {} }),
};

test.skipIf(!hasSandbox).for(Object.entries(ways))(
  "what git obeys since %s, a command of the same turn cannot make",
  async ([, toCall]) => {
    const turns = [command("true"), command("true")].map((call) => ({ items: [call] as never }));
    const script: { turns: unknown[] } = { turns };
    await using world = await openThreadWorld({ script: script as never });
    const { home, work } = world;
    script.turns.push({ items: [toCall(home, work)] }, { items: [attack] }, { items: [{ text: "Done." }] });
    const toConfigure = (name: string): Tool =>
      defineTool({
        name,
        description: "Configures git.",
        input: z.strictObject({}),
        run: async () => {
          await writeFile(join(home, ".gitconfig"), `[core]\n  hooksPath = ${work}/hooks\n`);
          return "done";
        },
      });
    const person = { approve: () => Promise.resolve({ type: "approved.once" } as const) };
    await using thread = await world.openThread({
      config,
      permissions: [],
      person,
      builtins: ["exec_command", "apply_patch"],
      tools: ["configure", "web_search"].map(toConfigure),
    });
    await runToEnd(thread, "go");
    expect(await readFile(join(home, ".gitconfig"), "utf8")).toContain("hooks");
    expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain(`unroll: ${work}/hooks was`);
  },
);

test.skipIf(!hasSandbox)(
  "what git obeys since a patch of a thread that may write anywhere, a command of another one cannot make",
  async () => {
    const [asked, patching, patched] = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const bound = [command("true"), command("true"), attack];
    const free = [patchHome];
    await using world = await openThreadWorld({
      respond: async ({ input }) => {
        const isFree = JSON.stringify(input).includes("Free.");
        const call = isFree ? free.shift()?.(world.home, world.work) : bound.shift();
        if (isFree && call) {
          asked?.resolve();
          await patching?.promise;
        }
        if (call === attack) {
          patching?.resolve();
          await patched?.promise;
        }
        return { items: [call ?? { text: "Done." }] as never };
      },
    });
    await using harness = await world.openHarness({ config, permissions: [] });
    const other = await harness.openThread();
    other.change({ sandboxMode: "danger-full-access", approvalPolicy: "never" });
    const patch = runToEnd(other, "Free.").finally(() => patched?.resolve());
    await asked?.promise;
    await runToEnd(await harness.openThread(), "go");
    await patch;
    expect(await readFile(join(world.home, ".gitconfig"), "utf8")).toContain("hooks");
    expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain(`unroll: ${world.work}/hooks was`);
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
