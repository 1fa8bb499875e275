import { expect, test } from "vitest";
import { openCommandWorld } from "./run-unroll.ts";

const say = (text: string): object => ({ items: [{ text }] });
const long = (text: string): object => say(`${text} ${"word ".repeat(12_000)}`);
const notes = "Task: count. Done: \u001b[1mall of it.";
const toTurns = (turns: readonly object[]): never => turns as never;

test("a saved thread is previewed, compacted, resumed and restored, from one process to the next", async () => {
  const turns = [
    long("One."),
    say("Two."),
    say(notes),
    { ...say("Three."), newEpoch: true },
    { ...say("Four."), newEpoch: true },
  ];
  await using world = await openCommandWorld({ script: { turns: toTurns(turns) } });
  const chatted = await world.run(["chat"], { stdin: "Count.\nOn.\n/compact preview\n/compact undo\n" });
  expect(chatted.stderr).toMatch(/About [\d,]+ tokens now, about [\d,]+ after compaction/);
  expect(chatted.stderr).toContain("Nothing to undo: the thread was never compacted.");
  const { thread_id: id } = JSON.parse((await world.run(["threads", "list", "--json"])).stdout) as {
    thread_id: string;
  };

  const preview = JSON.parse((await world.run(["threads", "compact", id, "--dry-run", "--json"])).stdout) as object;
  expect(preview).toMatchObject({
    type: "shorter",
    kept: { user_messages: { kept: 2, all: 2 }, steps: { kept: 1, all: 2 } },
  });
  expect(world.model.requests).toHaveLength(2);

  const compacted = await world.run(["threads", "compact", id, "--focus", "the numbers"]);
  expect(compacted).toMatchObject({ exitCode: 0, stdout: "Task: count. Done: \\u{1b}[1mall of it.\n" });
  expect(compacted.stderr).toMatch(
    /compacting about [\d,]+ tokens: you requested it \(the model writes a summary\)\ncompacted from about/,
  );
  expect(JSON.stringify(world.model.requests.at(-1)?.input.at(-1))).toContain("above all: the numbers");

  await world.run(["resume", "--plain", id], { stdin: "And on.\n/compact undo\ny\nBack.\n" });
  const sizes = world.model.requests.map(({ raw }) => raw.length);
  expect(sizes[3]).toBeLessThan(20_000);
  expect(sizes[4]).toBeGreaterThan(60_000);
  const undone = await world.run(["threads", "compact", id, "--undo"]);
  expect(undone).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Nothing to undo") as string });
  expect(world.model.violations).toEqual([]);
});

test("a thread whose model is not the config's is compacted, previewed and undone with its own model", async () => {
  const turns = [long("One."), say("Two."), { ...say(notes), newEpoch: true }];
  await using world = await openCommandWorld({ script: { turns: toTurns(turns) } });
  for (const message of ["Count.", "On."]) {
    const resumed = message === "On." ? ["resume", "--last"] : [];
    const ran = await world.run(["exec", "--skip-git-repo-check", "-m", "gpt-4.1", ...resumed, message]);
    expect(ran).toMatchObject({ exitCode: 0 });
  }
  const preview = await world.run(["threads", "compact", "--last", "--dry-run"]);
  expect(preview).toMatchObject({ exitCode: 0 });
  expect(await world.run(["threads", "compact", "--last"])).toMatchObject({ exitCode: 0 });
  expect(world.model.requests.at(-1)?.body).toMatchObject({ model: "gpt-4.1" });
  expect(await world.run(["threads", "compact", "--last", "--undo"])).toMatchObject({ exitCode: 0 });
  expect(world.model.violations).toEqual([]);
});
