import { expect, test } from "vitest";
import { openInProcessWorld, openModelWorld } from "./run-in-process.ts";
import { openCommandWorld } from "./run-unroll.ts";

const said = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });

test("a thread is resumed in other processes, with and without a terminal, and is listed and shown", async () => {
  const run = { call: "exec_command", arguments: { cmd: "echo one", login: false } };
  const turns = [{ items: [run] }, said("One."), said("Two."), said("Three."), said("Four.")];
  await using world = await openCommandWorld({ script: { turns: turns as never } });
  const first = await world.run(["exec", "-s", "danger-full-access", "--skip-git-repo-check", "Do\u001b[1m it"]);
  const [, id = ""] = /^session id: (\S+) ·/m.exec(first.stderr) ?? [];
  const second = await world.run(["exec", "-s", "danger-full-access", "resume", id, "-"], { stdin: "Go on" });
  expect(second).toMatchObject({ exitCode: 0, stdout: "Two.\n" });
  const third = await world.run(["resume", "--plain", "--last", "-s", "danger-full-access"], { stdin: "Again\n" });
  expect(third).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(new RegExp(`> Go on\n• Two\\.[^]*Resumed thread ${id}:`)),
  });
  expect(world.model.violations).toEqual([]);

  const listed = await world.run(["threads", "list", "--json"]);
  expect(JSON.parse(listed.stdout)).toEqual({
    thread_id: id,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    used_at: expect.stringMatching(/^\d{4}-.*Z$/),
    cwd: world.work,
    branch: null,
    name: null,
    title: "Do\u001b[1m it",
    model: "gpt-5",
    turns: 3,
    usage: expect.objectContaining({ input_tokens: expect.any(Number) }),
    cost_usd: null,
    archived: false,
    forked_from_id: null,
    forked_turns: null,
    parent_id: null,
  });
  const shown = (await world.run(["threads", "show", "last"])).stdout;
  expect(shown).toMatch(
    /^\nturn 1\n> Do it\n\$ echo one\n {2}one\n {2}exit 0\n• One\.\n.*\n\nturn 2\n> Go on\n• Two\.\n.*\n\nturn 3\n> Again\n• Three\.\n.*\n\n4 requests in 3 turns: .*\ncost: unknown \(.*\n$/,
  );
  const items = (await world.run(["threads", "show", id, "--json"])).stdout.trim().split("\n");
  expect(items).toHaveLength((world.model.requests.at(-1)?.input.length ?? 0) + 1);
  for (const item of items) expect(JSON.parse(item)).toHaveProperty("type");

  const fork = await world.run(["fork", "--plain", id.slice(0, 18), "--at", "1", "-s", "danger-full-access"], {
    stdin: "Else\n",
  });
  expect(fork).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(new RegExp(`a copy of thread ${id}`)),
  });
  const [forked, asked] = [world.model.requests.at(-1)?.input, world.model.requests[2]?.input.slice(0, -1)];
  expect(forked?.slice(0, asked?.length)).toEqual(asked);
  const [copy = ""] = (await world.run(["threads", "list", "--json"])).stdout.split("\n");
  expect(JSON.parse(copy)).toMatchObject({ title: "Do\u001b[1m it", forked_from_id: id, forked_turns: 1 });
  const table = await world.run(["threads", "list"]);
  expect(table.stdout).toContain(`  Else  copy of ${id} after turn 1\n`);
});

test("a missing thread, or an empty store, is reported", async () => {
  await using world = await openCommandWorld({ script: { turns: [] } });
  expect(await world.run(["threads", "list"])).toMatchObject({ exitCode: 0, stdout: "No saved threads yet.\n" });
  expect(await world.run(["threads", "show", "none"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^unroll: There is no thread none in .*sessions\.\n$/),
  });
  expect(await world.run(["resume", "--plain", "--last"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("No thread"),
  });
});

test("unroll resume and unroll fork without an id say what to type where nobody can choose", async () => {
  await using world = await openCommandWorld({ script: { turns: [said("One.")] } });
  await world.run(["exec", "--skip-git-repo-check", "a"]);
  for (const command of ["resume", "fork"])
    expect(await world.run([command, "--plain"], { stdin: "Hi\n" })).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: "unroll: Nobody can choose a thread here. Give a thread id (see unroll threads list), or use --last.\n",
    });
  expect(world.model.requests).toHaveLength(1);
});

test("at the terminal another model needs your approval, and only then the thread starts a new epoch with it", async () => {
  const turns = [said("One."), { ...said("Two."), newEpoch: true }];
  await using world = await openCommandWorld({ script: { turns } });
  await world.run(["exec", "--skip-git-repo-check", "a"]);
  const no = await world.run(["resume", "--plain", "--last", "-m", "gpt-5-codex"], { stdin: "n\n" });
  expect(no).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("opened with the model gpt-5 of test") });
  const yes = await world.run(["resume", "--plain", "--last", "-m", "gpt-5-codex"], { stdin: "y\nb\n" });
  expect(yes.exitCode).toBe(0);
  expect(yes.stderr).toContain("changes   │ gpt-5-codex of test instead of gpt-5 of test");
  expect(yes.stderr).toMatch(/resending the thread: the model was changed from gpt-5 of test[\s\S]*• Two\./);
  expect(world.model.violations).toEqual([]);
});

test("unroll exec fork begins as the thread does, and leaves that one as it was", async () => {
  await using world = await openModelWorld({ script: { turns: [said("One."), said("Two.")] } });
  const flags = ["-s", "danger-full-access", "--skip-git-repo-check"];
  await world.run(["exec", ...flags, "a"]);
  const fork = await world.run(["exec", "--skip-git-repo-check", "fork", "--last", "b"]);
  expect(fork).toMatchObject({ exitCode: 0, stdout: "Two.\n" });
  const [first, forked] = world.model.requests.map(({ input }) => input);
  expect(forked?.slice(0, first?.length)).toEqual(first);
  const kept = (await world.run(["threads", "list", "--json"])).stdout.trim().split("\n");
  expect(kept.map((line) => (JSON.parse(line) as { readonly turns: number }).turns)).toEqual([2, 1]);
});

test.for(["threads show", "threads export --markdown", "cache report", "sandbox --why"])(
  "%s in a folder without threads advises what works",
  async (line) => {
    await using world = await openInProcessWorld();
    const message = `No thread was started in ${world.work}. unroll threads list --all shows those of other folders.`;
    expect(await world.run(line.split(" "))).toMatchObject({ exitCode: 2, stdout: "", stderr: `unroll: ${message}\n` });
  },
);
