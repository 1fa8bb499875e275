import { expect, test } from "vitest";
import type { FileRead, PromptFiles } from "@unroll/prompt";
import { shareLooks } from "../src/base/share-looks.ts";

function openFiles(): { files: PromptFiles; looks: PromiseWithResolvers<FileRead>[] } {
  const looks: PromiseWithResolvers<FileRead>[] = [];
  const read: PromptFiles["read"] = () => {
    const look = Promise.withResolvers<FileRead>();
    looks.push(look);
    return look.promise;
  };
  return { files: { read, list: async () => ({ type: "missing" }) }, looks };
}

test("a read during another one gets the next result: no result is older than its request", async () => {
  const { files, looks } = openFiles();
  const shared = shareLooks(files);
  const first = shared.read("/AGENTS.md", 10);
  const [second, third] = [shared.read("/AGENTS.md", 10), shared.read("/AGENTS.md", 10)];
  expect(looks.length).toBe(1);
  looks[0]?.resolve({ type: "missing" });
  expect(await first).toEqual({ type: "missing" });
  await expect.poll(() => looks.length).toBe(2);
  looks[1]?.resolve({ type: "irregular" });
  expect([await second, await third]).toEqual([{ type: "irregular" }, { type: "irregular" }]);
  void shared.read("/AGENTS.md", 10);
  expect(looks.length).toBe(3);
});

test("a failed read rejects its own caller, not those that wait for the next one", async () => {
  const { files, looks } = openFiles();
  const shared = shareLooks(files);
  const [first, second] = [shared.read("/AGENTS.md", 10), shared.read("/AGENTS.md", 10)];
  looks[0]?.reject(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  await expect.poll(() => looks.length).toBe(2);
  looks[1]?.resolve({ type: "missing" });
  expect(await second).toEqual({ type: "missing" });
});
