import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineExecCommand, type ExecOptions } from "@unroll/exec";
import { openProgramStore } from "@unroll/program";
import { unrollVersion } from "@unroll/protocol";
import { Command } from "commander";
import { expect, test } from "vitest";
import { type ExecWorld, openExecWorld } from "./exec-world.ts";

const said = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });

/** The options that the program reads from a command line. */
async function parse(args: readonly string[]): Promise<ExecOptions> {
  let parsed: ExecOptions = {};
  const command = new Command("exec").exitOverride().configureOutput({ writeErr: () => {} });
  defineExecCommand(command, async (options) => void (parsed = options));
  await command.parseAsync([...args], { from: "user" });
  return parsed;
}

const listFiles = ({ home }: ExecWorld): readonly string[] =>
  globSync("**/*.jsonl*", { cwd: join(home, ".codex/sessions") });

test("a run resumes a thread by its printed id, or the folder's latest one, and the prefix holds", async () => {
  await using world = await openExecWorld({ script: { turns: [said("One."), said("Two."), said("Three.")] } });
  const first = await world.run({ prompt: "a", json: true });
  const [, id = ""] = /^session id: (\S+) ·/m.exec(first.stderr) ?? [];
  const second = await world.run({ ...(await parse(["--json", "resume", id, "b"])) });
  const third = await world.run({ ...(await parse(["resume", "--last", "c"])) });
  const started: unknown = expect.objectContaining({ type: "thread.started", thread_id: id });
  expect([first, second].map(({ events }) => events[0])).toEqual([started, started]);
  expect(third).toMatchObject({
    exitCode: 0,
    stdout: "Three.\n",
    stderr: expect.stringContaining(`session id: ${id}`),
  });
  expect(world.model.violations).toEqual([]);
  const lengths = world.model.requests.map(({ input }) => input.length);
  expect(lengths).toEqual([0, 2, 4].map((more) => (lengths[0] ?? 0) + more));
  const files = listFiles(world);
  expect(files).toHaveLength(1);
  const text = readFileSync(join(world.home, ".codex/sessions", files[0] ?? ""), "utf8");
  expect(text.match(/"type":"turn_context"/g)).toHaveLength(3);
  expect(text.match(/"type":"token_count"/g)).toHaveLength(3);
  expect(text).toContain(`"originator":"unroll_exec","cli_version":"${unrollVersion}"`);
});

test("a run begins a copy of a thread with the first of its turns; the last one of another folder is found with --all", async () => {
  await using world = await openExecWorld({ script: { turns: [said("One."), said("Two."), said("Three.")] } });
  await world.run({ prompt: "a" });
  await world.run({ ...(await parse(["resume", "--last", "b"])) });
  const cd = { cd: world.home };
  expect(await world.run({ ...cd, ...(await parse(["fork", "--last", "c"])) })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/No thread was started in .*--all/),
  });
  const fork = await world.run({ ...cd, ...(await parse(["fork", "--last", "--all", "--at", "1", "c"])) });
  expect(fork).toMatchObject({ exitCode: 0, stdout: "Three.\n" });
  expect(listFiles(world)).toHaveLength(2);
  const [, second, third] = world.model.requests.map(({ input }) => input);
  const shared = second?.slice(0, -1) ?? [];
  expect(third?.slice(0, shared.length)).toEqual(shared);
});

test("a thread that another process resumes keeps its effort and its verbosity, except what -c sets", async () => {
  const turns = [1, 2, 3].map((at) => ({ items: [{ text: String(at) }] }));
  await using world = await openExecWorld({ script: { turns } });
  const set = ["model_reasoning_effort=high", "model_verbosity=medium"];
  await world.run({ prompt: "Hi", model: "gpt-5.2", config: set });
  const resume = ["-m", "gpt-5.2", "resume", "--last"];
  await world.run(await parse([...resume, "on"]));
  await world.run(await parse(["-c", "model_reasoning_effort=low", ...resume, "on"]));
  const sent = world.model.requests.map(({ body }) => ({ reasoning: body["reasoning"], text: body["text"] }));
  const high = { reasoning: { effort: "high", summary: "auto" }, text: { verbosity: "medium" } };
  expect(sent).toEqual([high, high, { ...high, reasoning: { effort: "low", summary: "auto" } }]);
});

test("a resumed run keeps the thread's model, provider, sandbox and approval policy, except what a flag sets", async () => {
  const turns = [1, 2, 3].map((at) => said(String(at)));
  await using world = await openExecWorld({
    script: { turns: [...turns.slice(0, 2), { ...said("3"), newEpoch: true }] },
  });
  await world.run({ prompt: "Hi", model: "gpt-5.2", sandbox: "workspace-write" });
  const again = await world.run(await parse(["resume", "--last", "on"]));
  expect(again.stderr).toMatch(/^session id: .* · gpt-5\.2 \(.*\) · workspace-write · /m);
  const narrowed = await world.run(
    await parse(["-s", "read-only", "-m", "gpt-5.1", "--allow-cache-break", "resume", "--last", "on"]),
  );
  expect(narrowed.stderr).toMatch(/^session id: .* · gpt-5\.1 \(.*\) · read-only · /m);
  expect(world.model.requests.map(({ body }) => body["model"])).toEqual(["gpt-5.2", "gpt-5.2", "gpt-5.1"]);
});

test("the command line of the Codex SDK is read: flags, resume, the id, images, and the prompt on stdin", async () => {
  const flags = ["--experimental-json", "--config", "a=1", "--sandbox", "read-only", "--skip-git-repo-check"];
  expect(await parse([...flags, "resume", "01a1", "--image", "a.png", "--image", "b.png"])).toEqual({
    json: true,
    experimentalJson: true,
    config: ["a=1"],
    sandbox: "read-only",
    skipGitRepoCheck: true,
    resume: "01a1",
    image: ["a.png", "b.png"],
  });
  expect(await parse(["resume", "--last", "--json", "-o", "a.md", "Go on", "-m", "gpt-5"])).toEqual({
    json: true,
    outputLastMessage: "a.md",
    model: "gpt-5",
    resume: "last",
    prompt: "Go on",
    image: [],
  });
  expect(await parse(["review", "--commit", "abc", "--title", "A fix", "--json"])).toEqual({
    json: true,
    sandbox: "read-only",
    review: { type: "commit", commit: "abc" },
    title: "A fix",
  });
  await expect(parse(["resume"])).rejects.toThrow("give a thread id (see unroll threads list), or use --last");
  await expect(parse(["resume", "01a1", "--all"])).rejects.toThrow("--all only works with --last");
  expect(await parse(["--json", "fork", "--last", "--all", "--at", "2", "Go"])).toEqual({
    json: true,
    image: [],
    all: true,
    prompt: "Go",
    fork: { id: "last", at: 2 },
  });
  await expect(parse(["fork", "01a1", "--at", "0"])).rejects.toThrow("1 or more");
  await expect(parse(["resume", "--last", "a", "b"])).rejects.toThrow("put the prompt in quotes");
});

test("a run resumes a thread by the name that you gave it", async () => {
  await using world = await openExecWorld({ script: { turns: [said("One."), said("Two."), said("Three.")] } });
  const first = await world.run({ prompt: "a" });
  const [, id = ""] = /^session id: (\S+) ·/m.exec(first.stderr) ?? [];
  await world.run({ prompt: "b" });
  const codexHome = join(world.home, ".codex");
  const clock = { now: Date.now, pid: process.pid, elapsed: Date.now, newId: () => "", cwd: "/", env: {} };
  await (await openProgramStore({ codexHome }, clock)).upkeep.rename(id, "tea time");
  const named = await world.run(await parse(["resume", "tea time", "c"]));
  expect(named).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`session id: ${id}`) });
});

test("nothing is kept with --ephemeral or history.persistence = none, and what is not there cannot be resumed", async () => {
  await using world = await openExecWorld({ script: { turns: [said("One."), said("Two.")] } });
  await world.run(await parse(["--ephemeral", "a"]));
  await world.run({ prompt: "b", config: ["history.persistence=none"] });
  expect(listFiles(world)).toEqual([]);
  const last = await world.run(await parse(["--json", "resume", "--last", "c"]));
  expect(last.events).toMatchObject([{ type: "turn.failed", error: { code: "thread_missing" } }]);
  expect(last.exitCode).toBe(2);
  expect((await world.run(await parse(["resume", "Now fix it."]))).stderr).toContain(
    '"Now fix it." was read as a thread id; for the latest thread, write --last before the prompt.',
  );
  const named = await world.run({ prompt: "c", resume: "none" });
  expect(named).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("There is no thread none") });
});

test("where the thread cannot be written down nothing is sent, and the message says where, and what to do", async () => {
  await using world = await openExecWorld({ script: { turns: [said("One.")] } });
  writeFileSync(join(world.home, ".codex/sessions"), "a file where a folder has to be");
  const ran = await world.run({ prompt: "a", json: true });
  expect(ran.events.at(-1)).toMatchObject({ type: "turn.failed", error: { code: "journal_failed" } });
  expect(ran.stderr).toMatch(/cannot be saved.*sessions.*cannot be written: .*CODEX_HOME.*--ephemeral/);
  expect(ran.exitCode).toBe(1);
  expect(world.model.requests).toEqual([]);
});
