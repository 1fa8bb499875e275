import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keys, openTerminalWorld, readSent } from "./terminal-world.ts";

const ready = "gpt-5-codex";

test("a prompt of the person's own is a command, with its places filled", async () => {
  await using world = await openTerminalWorld({
    homeFiles: { ".codex/prompts/fix.md": "---\ndescription: mend a file\n---\nMend $1 because $WHY." },
  });
  const seat = world.start();
  await seat.shows(ready);
  seat.type("/prompts:f");
  await seat.shows("mend a file");
  seat.type(`ix main.ts WHY="it fails"${keys.enter}`);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0])).toContain("Mend main.ts because it fails.");
});

test("prompt files that are added, changed or removed count without a restart", async () => {
  await using world = await openTerminalWorld({ turns: [{ items: [{ text: "first done" }] }] });
  const seat = world.start();
  await seat.shows(ready);
  const folder = join(world.home, ".codex/prompts");
  await mkdir(folder);
  await writeFile(join(folder, "fix.md"), "---\ndescription: mend a file\n---\nMend $1.");
  seat.type("/");
  await seat.shows("/help");
  seat.type("prompts:f");
  await seat.shows("mend a file");
  seat.type(`ix main.ts${keys.enter}`);
  await seat.shows("first done");
  await writeFile(join(folder, "fix.md"), "Repair $1.");
  seat.type(`/prompts:fix main.ts${keys.enter}`);
  await seat.shows("all finished");
  seat.type(`/fix main.ts${keys.enter}`);
  await seat.shows("Unknown command /fix. Did you mean /prompts:fix?");
  await rm(join(folder, "fix.md"));
  seat.type(`/prompts:fix main.ts${keys.enter}`);
  await seat.shows("Unknown command /prompts:fix.");
  expect(world.model.requests.map((request) => readSent(request).match(/Mend main|Repair main/g))).toEqual([
    ["Mend main"],
    ["Mend main", "Repair main"],
  ]);
});
