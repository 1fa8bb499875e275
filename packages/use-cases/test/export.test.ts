import { mkdir, mkdtempDisposable, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forEach } from "@unroll/flow";
import { openThread } from "@unroll/harness";
import type { JournalEntry } from "@unroll/protocol";
import { createHost, loadProgramConfig, openProgramStore } from "@unroll/program";
import { openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { renderThreadMarkdown, renderThreadPage } from "@unroll/report";
import { exportThread, writeExport } from "@unroll/use-cases/export";
import { toPriceOf } from "@unroll/use-cases/cache";
import { expect, test } from "vitest";

let count = 0;
const newId = (): string => String(count++);

test("an exported thread has its messages and those of its sub-agents, and no key that unroll knows", async () => {
  const answer = { items: [{ text: "The key is sk-of-ann-1234567890." }] };
  const startAgent = { call: "spawn_agent", arguments: { task_name: "look", message: "Look" } };
  await using home = await openModelHome({
    respond({ input }) {
      const last = JSON.stringify(input.at(-1));
      return last.includes('"Hello"') ? { items: [startAgent] } : answer;
    },
  });
  const env = { PATH: process.env["PATH"], HOME: home.home, OPENAI_API_KEY: "sk-of-ann-1234567890" };
  const io = createTestIo({ env, cwd: home.work, homeDirectory: home.home });
  const host = createHost(io);
  const config = await loadProgramConfig({ config: ["agents.enabled=true"], model: "gpt-5" }, host);
  const store = await openProgramStore(config, io);
  const load = async (id: string): Promise<readonly JournalEntry[]> => (await store.load(id)).entries;
  const options = { config, host, priceOf: toPriceOf(config), load };
  expect((await exportThread([], options)).threadId).toBe("");
  await using thread = await openThread({ host, config, store });
  await forEach(thread.run("Hello"), () => {});
  const document = await exportThread((await store.load(thread.id)).entries, options);
  expect(document.threadId).toBe(thread.id);
  const text = renderThreadMarkdown(document);
  expect(text.split("The key is")).toHaveLength(4); // of both, and the report
  expect(document.agents).toMatchObject([
    { name: "look", threadId: thread.agents.list()[0]?.thread_id, missing: null },
  ]);
  expect(text).not.toContain("sk-of-ann-1234567890");
});

test("an export says which messages the agent wrote that started a sub-agent, and which you wrote", async () => {
  const toCall = (call: string, given: object): object => ({ items: [{ call, arguments: given }] });
  const steps = [
    toCall("spawn_agent", { task_name: "look", message: "Look" }),
    toCall("send_message", { target: "look", message: "Look again" }),
    toCall("wait_agent", {}),
  ];
  await using home = await openModelHome({
    respond: ({ raw }) =>
      (raw.toString().includes('"text":"Hello"')
        ? (steps.shift() ?? { items: [{ text: "Done." }] })
        : { items: [{ text: "Seen." }] }) as never,
  });
  const env = { PATH: process.env["PATH"], HOME: home.home };
  const io = createTestIo({ env, cwd: home.work, homeDirectory: home.home });
  const host = createHost(io);
  const config = await loadProgramConfig({ config: ["agents.enabled=true"], model: "gpt-5" }, host);
  const store = await openProgramStore(config, io);
  const load = async (id: string): Promise<readonly JournalEntry[]> => (await store.load(id)).entries;
  await using thread = await openThread({ host, config, store });
  await forEach(thread.run("Hello"), () => {});
  const { signal } = new AbortController();
  await thread.agents.send("look", "And mine", signal);
  await thread.agents.untilIdle(signal);
  const document = await exportThread(await load(thread.id), { config, host, priceOf: toPriceOf(config), load });
  const said = document.agents.flatMap(({ steps: shown }) =>
    shown.flatMap((step) => (step.type === "input" ? [[step.text, step.from ?? "you"]] : [])),
  );
  expect(said).toEqual([
    ["Look", "agent"],
    ["Look again", "agent"],
    ["And mine", "you"],
  ]);
  const told = (author: string, text: string): string => `**${author}**\n\n\`\`\`\n${text}\n`;
  const markdown = renderThreadMarkdown(document);
  expect(markdown).toContain(told("the agent that started it", "Look"));
  expect(markdown).toContain(told("user", "And mine"));
  const page = renderThreadPage(document);
  expect(page.split('<p class="who">the agent that started it</p>')).toHaveLength(3);
  expect(page.split('<p class="who">you</p>')).toHaveLength(3); // of the thread, and to the sub-agent
});

test("a file is written whole, replaces only an ordinary one where that is wanted, and leaves no draft", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-export-test-"));
  const at = (name: string): string => join(folder.path, name);
  const write = (name: string, replaces: boolean) => writeExport("new", { path: at(name), replaces, newId });
  await writeFile(at("old"), "old");
  await symlink(at("old"), at("link"));
  await mkdir(at("folder"));
  expect(await write("a", false)).toEqual({ type: "written", path: at("a") });
  expect((await stat(at("a"))).mode & 0o777).toBe(0o600);
  expect(await write("old", false)).toMatchObject({ type: "failed", path: at("old"), error: { code: "EEXIST" } });
  expect(await readFile(at("old"), "utf8")).toBe("old");
  expect(await write("link", true)).toEqual({ type: "left_alone", path: at("link"), found: "link" });
  expect(await write("folder", true)).toEqual({ type: "left_alone", path: at("folder"), found: "folder" });
  expect(await write("missing/a", true)).toMatchObject({ type: "failed", error: { code: "ENOENT" } });
  expect(await write("old", true)).toMatchObject({ type: "written" });
  expect(await readFile(at("old"), "utf8")).toBe("new");
  expect((await readdir(folder.path)).toSorted()).toEqual(["a", "folder", "link", "old"]);
});
