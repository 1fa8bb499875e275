import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openRuleStore } from "@unroll/approval/node";
import { expect, test } from "vitest";

const { signal } = new AbortController();
const clock = { elapsed: () => performance.now(), sleep: async (ms: number) => wait(ms) };

test("rules that several programs allow always at once are all written", async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), "unroll-rules-"));
  const names = Array.from({ length: 12 }, (_, at) => `command-${at}`);
  const books = await Promise.all(names.map(async () => openRuleStore(home.path, { isIgnored: false, clock })));
  await Promise.all(books.map(async (book, at) => book.allowPrefix({ prefix: [names[at] ?? ""], env: [] }, signal)));
  const rules = await readFile(join(home.path, "rules/default.rules"), "utf8");
  expect(rules.trim().split("\n").toSorted()).toEqual(
    names.map((name) => `prefix_rule(pattern=["${name}"], decision="allow")`).toSorted(),
  );
  const read = await openRuleStore(home.path, { isIgnored: false, clock });
  expect(read.rules).not.toBeNull();
});
