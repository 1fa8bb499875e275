import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTerminalWorld } from "./terminal-world.ts";

const asks = `approval_policy = "on-request"\nsandbox_mode = "read-only"\n`;
const lines = Array.from({ length: 3000 }, (_, at) => `the line of number ${at + 1}`);

function add(name: string, text: readonly string[]): { readonly custom: string; readonly input: string } {
  const added = text.map((line) => `+${line}\n`).join("");
  return { custom: "apply_patch", input: `*** Begin Patch\n*** Add File: ${name}\n${added}*** End Patch` };
}

test("the question about a patch of 3,000 lines has all of it: End, Home and / show each part, and e approves this and later edits", async () => {
  const turns = [{ items: [add("long.txt", lines)] }, { items: [add("short.txt", ["green tea"])] }];
  await using world = await openTerminalWorld({ turns, config: asks });
  const seat = world.start({ prompt: "go" }, { columns: 100, rows: 30 });
  await seat.shows("the line of number 1");
  const press = async (key: string, shown: string): Promise<void> => {
    await seat.pass(1000);
    const behind = seat.bytes().length;
    seat.type(key);
    await seat.writes(shown, behind);
    await seat.pass(1000);
  };
  await press("/", "/");
  seat.type("number 1500");
  await press("\r", "the line of ");
  expect(seat.screen().some((row) => row.endsWith("the line of number 1500"))).toBe(true);
  await press("\u001b[F", "number 3000");
  await press("\u001b[H", "diff ");
  expect(seat.screen().some((row) => row.endsWith("the line of number 1"))).toBe(true);
  seat.type("e");
  await seat.shows("all finished");
  expect(await readFile(join(world.work, "long.txt"), "utf8")).toBe(`${lines.join("\n")}\n`);
  expect(await readFile(join(world.work, "short.txt"), "utf8")).toBe("green tea\n");
});
