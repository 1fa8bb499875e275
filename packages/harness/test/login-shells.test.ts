import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ThreadEvent } from "@unroll/protocol";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

/** A world whose model makes one of these calls in each turn. */
async function openWorld(profile: string, ...calls: readonly object[]): Promise<ThreadWorld> {
  const turns = [...calls.map((call) => ({ items: [call] })), { items: [{ text: "Done." }] }];
  const world = await openThreadWorld({ script: { turns: turns as never } });
  await writeFile(join(world.home, ".bash_profile"), profile);
  return world;
}

const shell = (command: string, args: object = {}): object => ({
  call: "exec_command",
  arguments: { cmd: command, ...args },
});

function outputsOf(world: ThreadWorld): readonly string[] {
  const input = world.model.requests.at(-1)?.input ?? [];
  return input.flatMap((item) =>
    typeof item["output"] === "string" ? [item["output"].replace(/^[^]*Output:\n/, "").trim()] : [],
  );
}

const warningsOf = (events: readonly ThreadEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === "warning" ? [event.message] : []));

const profile = `
echo Welcome
echo run >> "$PWD/runs"
export OPENAI_API_KEY=sk-the-key-of-all-keys DEPLOY_TOKEN=another-secret A=1
greet() { echo "hello $1"; }
`;

/** Sets `file` by the variables that bash started with. The shell reads them itself: `/proc` may be the container's, with other numbers. */
const findProfile =
  "mapfile -d '' started </proc/self/environ; for each in \"${started[@]}\"; do case $each in BASH_ENV=*) file=${each#*=};; esac; done";

test("where allow_login_shell is false no profile is read, and asking for it is a wrong argument", async () => {
  await using world = await openWorld(profile, shell("greet you; ls"), shell("greet you", { login: true }));
  await using thread = await world.openThread({ config: ["allow_login_shell=false"] });
  await runToEnd(thread, "go");
  expect(outputsOf(world)).toEqual([
    expect.stringContaining("greet: command not found"),
    expect.stringContaining("login"),
  ]);
  expect(outputsOf(world)[0]).not.toContain("runs");
});

test.each(hasSandbox ? ["workspace-write", "danger-full-access"] : ["danger-full-access"])(
  "in %s the profile runs once, commands see what it did, and none of its words and secrets",
  async (mode) => {
    const look = "greet you; echo $A$OPENAI_API_KEY$DEPLOY_TOKEN$BASH_ENV";
    await using world = await openWorld(
      profile,
      shell(look),
      shell(`${look}; cat runs`),
      shell("greet x", { login: false }),
    );
    const config = [`sandbox_mode=${mode}`];
    await using thread = await world.openThread({ config, env: { OPENAI_API_KEY: "sk-the-key-of-all-keys" } });
    const { events } = await runToEnd(thread, "go");
    expect(outputsOf(world)).toEqual([
      "hello you\n1",
      "hello you\n1\nrun",
      expect.stringContaining("greet: command not found"),
    ]);
    expect(warningsOf(events)).toEqual([]);
    const items = events.flatMap((event) => (event.type === "item.completed" ? [event.item] : []));
    expect(items[0]).toMatchObject({ type: "command_execution", command: look, aggregated_output: "hello you\n1\n" });
  },
);

test.skipIf(!hasSandbox)(
  "a command in the sandbox can neither write what the profile left nor put another file in its place",
  async () => {
    const forge = `${findProfile}; echo 'echo forged' >>"$file"; rm -f "$file"; mv "$(dirname "$file")" "$HOME/gone"; ls "$file"`;
    await using world = await openWorld("export A=1", shell(forge), shell("echo $A"));
    await using thread = await world.openThread({ config: ["sandbox_mode=workspace-write"] });
    await runToEnd(thread, "go");
    const [forged = "", seen] = outputsOf(world);
    expect(forged.match(/Read-only file system|Device or resource busy/g)?.length).toBeGreaterThanOrEqual(3);
    expect(forged).toContain("login.bash");
    expect(seen).toBe("1");
  },
);

test.skipIf(!hasSandbox)(
  "if commands cannot read the profile's result, each runs the profile, with one warning",
  async () => {
    await using world = await openWorld("export A=1", shell("echo $A$BASH_ENV"), shell("echo $A"));
    const config = ["sandbox_mode=workspace-write", `sandbox.deny_read=["${join(world.home, ".local")}"]`];
    await using thread = await world.openThread({ config });
    const { events } = await runToEnd(thread, "go");
    expect(outputsOf(world)).toEqual(["1", "1"]);
    expect(warningsOf(events)).toEqual([expect.stringContaining("reused: commands may not read in ")]);
  },
);

test.skipIf(!hasSandbox)(
  "threads of a harness share what the profile left; a command outside the sandbox gets its own",
  async () => {
    await using world = await openWorld(
      profile,
      shell("cat runs"),
      shell("cat runs", { sandbox_permissions: "require_escalated", justification: "To look." }),
      { text: "Done." },
      shell("cat runs"),
    );
    const config = ["sandbox_mode=workspace-write", "approval_policy=on-request"];
    const person = { approve: () => Promise.resolve({ type: "approved.once" } as const) };
    await using harness = await world.openHarness({ config, person });
    await using first = await harness.openThread();
    await runToEnd(first, "go");
    expect(outputsOf(world)).toEqual(["run", "run\nrun"]);
    await using second = await harness.openThread();
    await runToEnd(second, "go");
    expect(outputsOf(world)).toEqual(["run\nrun"]);
  },
);

test("exec_command starts in it, too, and a terminal in what the profile does there", async () => {
  const run = (cmd: string, tty: boolean): object => ({ call: "exec_command", arguments: { cmd, tty } });
  const where = "echo Welcome; [ -t 0 ] && export AT=terminal || AT=pipe; multi() {\n  echo $AT\n}";
  await using world = await openWorld(where, run("multi", false), run("multi", true), run("multi", true));
  await using thread = await world.openThread({ config: ["shell_tool=exec_command"] });
  const { events } = await runToEnd(thread, "go");
  expect(outputsOf(world)).toEqual(["pipe", "terminal", "terminal"]);
  expect(warningsOf(events)).toEqual([]);
});

test("if the profile's result cannot be saved, each command runs the profile, with one warning", async () => {
  await using world = await openWorld("echo Welcome; exec 7</dev/null", shell("echo one"), shell("echo two"));
  await using thread = await world.openThread();
  const { events } = await runToEnd(thread, "go");
  expect(outputsOf(world)).toEqual(["Welcome\none", "Welcome\ntwo"]);
  expect(warningsOf(events)).toEqual([expect.stringContaining("reused: the profile leaves the descriptor 7 open.")]);
});

test("a thread that is closed leaves nothing of it", async () => {
  await using world = await openWorld(profile, shell(`${findProfile}; cp "$file" kept`));
  const thread = await world.openThread();
  await runToEnd(thread, "go");
  await thread[Symbol.asyncDispose]();
  expect(await readFile(join(world.work, "kept"), "utf8")).toContain("greet ()");
  const logins = join(world.home, ".local/state/unroll/sandbox/logins");
  expect(await readdir(logins)).toEqual([]);
});
