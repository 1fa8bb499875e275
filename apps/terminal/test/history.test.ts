import { execFileSync } from "node:child_process";
import { mkdir, mkdtempDisposable, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHistory } from "../src/device/history.ts";

const toDraft = (text: string) => ({ text, images: [] });
const toLine = (text: string): string => `${JSON.stringify({ session_id: "one", ts: 1, text })}\n`;

test("a history that is too long keeps its end, in its place, whatever the drafts of others are called", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-history-"));
  const [file, codexHome] = [join(folder.path, "kept.jsonl"), join(folder.path, "home")];
  const texts = Array.from({ length: 2500 }, (_, at) => `${at} ${"x".repeat(2000)}`);
  await writeFile(file, texts.map(toLine).join(""), { mode: 0o600 });
  await mkdir(join(codexHome, "history.jsonl.new"), { recursive: true });
  await symlink(file, join(codexHome, "history.jsonl"));
  const options = { codexHome, isKept: true, threadId: () => "one", clock: { now: () => 1000 }, secrets: [] };
  const opened = await Promise.all([openHistory(options), openHistory(options), openHistory(options)]);
  expect(opened.map((history) => history.drafts)).toEqual(Array(3).fill(texts.slice(-2000).map(toDraft)));
  expect(await readFile(file, "utf8")).toBe(texts.slice(-2000).map(toLine).join(""));
  expect(await readlink(join(codexHome, "history.jsonl"))).toBe(file);
});

test("a pipe in the history's place holds up nothing: the history lasts for this run", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-history-"));
  execFileSync("mkfifo", [join(folder.path, "history.jsonl")]);
  const options = { codexHome: folder.path, isKept: true, threadId: () => "one", clock: { now: () => 1 }, secrets: [] };
  const history = await openHistory(options);
  await history.add(toDraft("hello"));
  expect(history.drafts).toEqual([toDraft("hello")]);
});
