import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dotPng, keys, openTerminalWorld, readSent, type TerminalWorld } from "./terminal-world.ts";

const ready = "gpt-5-codex";
const yes = "\u001b_Gi=31;OK\u001b\\";

async function openWorld(env: Readonly<Record<string, string>>): Promise<TerminalWorld> {
  const world = await openTerminalWorld({
    env,
    turns: [{ items: [{ call: "view_image", arguments: { path: "dot.png" } }] }],
  });
  await writeFile(join(world.work, "dot.png"), Buffer.from(dotPng, "base64"));
  return world;
}

function countPictures(bytes: string): number {
  return bytes.split(`;${dotPng}\u001b\\`).length - 1;
}

test("what the person sends and the model looks at is shown below its line, in a terminal that takes kitty's pictures", async () => {
  await using world = await openWorld({ KITTY_WINDOW_ID: "1" });
  const seat = world.start();
  await seat.shows(ready);
  expect(seat.bytes()).toContain("\u001b_Gi=31,");
  seat.type(yes);
  seat.type(`\u001b[200~${join(world.work, "dot.png")}\u001b[201~ what is it?${keys.enter}`);
  await seat.shows("tokens:");
  const rows = [...seat.scrolled(), ...seat.screen()];
  const sent = rows.findIndex((row) => row.includes("what is it?"));
  const viewed = rows.findIndex((row) => row.startsWith("viewed dot.png"));
  expect(rows.slice(sent + 1, viewed + 3)).toEqual(["  [1 picture]", "", "", "viewed dot.png", "", ""]);
  expect(countPictures(seat.bytes())).toBe(2);
});

test("a terminal that does not say that it takes pictures gets none, nor does one without colours", async () => {
  for (const env of [{}, { KITTY_WINDOW_ID: "1", TMUX: "/tmp/tmux" }, { KITTY_WINDOW_ID: "1", NO_COLOR: "1" }]) {
    await using world = await openWorld(env);
    const seat = world.start({ prompt: "look" });
    seat.type(yes);
    await seat.shows("viewed dot.png");
    await seat.shows("tokens:");
    expect(countPictures(seat.bytes())).toBe(0);
  }
});

test("a picture whose path leads to a login is not sent, and the reason is shown", async () => {
  await using world = await openWorld({});
  await writeFile(join(world.home, ".codex/auth.json"), "{}");
  await symlink(join(world.home, ".codex/auth.json"), join(world.work, "logo.png"));
  const seat = world.start();
  await seat.shows(ready);
  seat.type(`\u001b[200~${join(world.work, "logo.png")}\u001b[201~ what is it?${keys.enter}`);
  await seat.shows("Not sent:");
  expect(seat.screen().join("").replaceAll(" ", "")).toContain("leadstoafileofunroll'sownfolder");
  expect(world.model.requests).toEqual([]);
});

test("an earlier message comes back with its picture, by Up and by ^R, also in the next run; of a lost picture a hint speaks", async () => {
  await using world = await openTerminalWorld();
  const path = join(world.work, "dot.png");
  await writeFile(path, Buffer.from(dotPng, "base64"));
  const seat = world.start();
  await seat.shows(ready);
  seat.type(`\u001b[200~${path}\u001b[201~`, `is it tea?${keys.enter}`);
  await seat.shows("all finished");
  seat.type(keys.up);
  await seat.shows("› [image 1] is it tea?");
  const before = seat.bytes().length;
  seat.type(" again", keys.enter);
  await seat.writes("all finished", before);
  await seat.leave();
  const next = world.start();
  await next.shows(ready);
  next.type(keys.ctrlR, "tea? ag");
  await next.shows("search history: tea? ag");
  next.type(keys.enter);
  await next.hides("search history");
  next.type(keys.enter);
  await next.shows("all finished");
  const sent = world.model.requests.map((request) => readSent(request));
  expect(sent.map((text) => text.split(`base64,${dotPng}`).length - 1)).toEqual([1, 2, 1]);
  expect(sent[2]).toContain("[image 1] is it tea? again");
  await next.leave();

  await writeFile(join(world.home, ".codex/history.jsonl"), '{"session_id":"1","ts":1,"text":"[image 1] gone"}\n');
  const last = world.start();
  await last.shows(ready);
  last.type(keys.up);
  await last.shows("The picture of [image 1] was not kept: attach it again, or remove the label.");
});

test("line by line, a message that comes back to the line has its picture", async () => {
  await using world = await openTerminalWorld();
  const path = join(world.work, "dot.png");
  await writeFile(path, Buffer.from(dotPng, "base64"));
  const seat = world.start({ plain: true, image: [path] });
  await seat.shows("> ");
  seat.type("!sleep 60\n");
  await seat.shows("$ sleep 60");
  seat.type("is it tea?\n");
  await seat.shows("(goes in with the next request)");
  seat.type(keys.ctrlC);
  await seat.shows("> is it tea?");
  seat.type("\n");
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0]).split(`base64,${dotPng}`)).toHaveLength(2);
});
