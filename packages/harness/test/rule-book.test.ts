import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRuleBook } from "../src/approval/rule-book.ts";
import { createClock } from "../src/host/create-clock.ts";

const { signal } = new AbortController();
const clock = createClock({ now: Date.now, elapsed: () => performance.now() });

test("rules that several programs allow always at once are all written", async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), "unroll-rules-"));
  const names = Array.from({ length: 12 }, (_, at) => `command-${at}`);
  const books = await Promise.all(names.map(async () => openRuleBook(home.path, { isIgnored: false, clock })));
  await Promise.all(books.map(async (book, at) => book.allowPrefix([names[at] ?? ""], signal)));
  const rules = await readFile(join(home.path, "rules/default.rules"), "utf8");
  expect(rules.trim().split("\n").toSorted()).toEqual(
    names.map((name) => `prefix_rule(pattern=["${name}"], decision="allow")`).toSorted(),
  );
  const read = await openRuleBook(home.path, { isIgnored: false, clock });
  expect(read.rules).not.toBeNull();
});
