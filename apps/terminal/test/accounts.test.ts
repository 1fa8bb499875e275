import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TerminalOptions } from "../src/terminal-options.ts";
import { keys, openTerminalWorld, readSent, type TerminalWorld } from "./terminal-world.ts";

const size = { columns: 100, rows: 40 };

/** Three accounts with API keys, and one whose login is gone. */
async function openAccountWorld(): Promise<{ readonly world: TerminalWorld; readonly flags: TerminalOptions }> {
  const key = (name: string): string => JSON.stringify({ OPENAI_API_KEY: `sk-of-${name}` });
  const world = await openTerminalWorld({
    isBare: true,
    config: 'model = "gpt-5-codex"\nmodel_provider = "openai"\n',
    homeFiles: {
      ".codex/auth.json": key("default"),
      ".codex/auth.json.account.home.json": key("home"),
      ".codex/auth.json.account.empty.json": "{}",
      ".codex/auth.json.account.work.json": key("work"),
    },
  });
  return { world, flags: { config: [`openai_base_url=${world.model.url}`] } };
}

async function say(seat: ReturnType<TerminalWorld["start"]>, text: string, shown: string): Promise<void> {
  await seat.pass(1000);
  seat.type(`${text}${keys.enter}`);
  await seat.shows(shown);
}

const sentBy = (world: TerminalWorld): readonly unknown[] =>
  world.model.requests.map(({ headers }) => headers["authorization"]);

test("/account lists the accounts, asks before it resends the thread for another one, and a resume keeps it", async () => {
  const { world, flags } = await openAccountWorld();
  await using _world = world;
  const seat = world.start(flags, size);
  await seat.shows("gpt-5-codex");
  await say(seat, "Remember the number 42.", "tokens:");
  await say(seat, "/account", "Which account?");
  expect(seat.screen().join("\n")).toMatch(/1 {2}default .*API key[\s\S]*2 {2}empty .*not logged in[\s\S]*4 {2}work/);
  await seat.pass(1000);
  seat.type("4");
  await seat.shows("Switching accounts resends about ");
  await seat.pass(1000);
  seat.type("n");
  await seat.shows("The account is still default. To switch without resending, use /new and then /account work.");
  await seat.pass(1000);
  seat.type("/account wo");
  await seat.shows("    work  ");
  seat.type("\u0015");
  await seat.hides("    work  ");
  await say(seat, "/account empty", "Nobody is logged in to the account empty: run unroll login --as empty.");
  await say(seat, "/account work", "the account work instead of default");
  await seat.pass(1000);
  seat.type("y");
  await seat.shows("Account: work, from the next request on.");
  await say(seat, "/account work", "You are already using the account work.");
  await seat.pass(1000);
  seat.type(`Which number?${keys.enter}`);
  await expect.poll(() => sentBy(world)).toEqual(["Bearer sk-of-default", "Bearer sk-of-work"]);
  expect(readSent(world.model.requests[1])).toContain("Remember the number 42.");
  await seat.hides("esc");
  expect([...seat.scrolled(), ...seat.screen()].join("\n")).not.toContain("sk-of-");
  await seat.leave();

  const again = world.start({ ...flags, from: { name: "last", all: false, copiedTurns: null } }, size);
  await again.shows("gpt-5-codex");
  await say(again, "And now?", "all finished");
  await expect.poll(() => sentBy(world).at(-1)).toBe("Bearer sk-of-work");
  await again.leave();

  await rm(join(world.home, ".codex/auth.json.account.work.json"));
  const last = world.start({ ...flags, from: { name: "last", all: false, copiedTurns: null } }, size);
  await last.shows("Nobody is logged in to the account work");
  await last.shows("Which account do you want to use instead?");
  await last.pass(1000);
  last.type("2");
  await last.shows("the account home instead of work");
  await last.pass(1000);
  last.type("y");
  await last.hides("the account home instead of work");
  await say(last, "Hello again", "all finished");
  await expect.poll(() => sentBy(world).at(-1)).toBe("Bearer sk-of-home");
});

test("a dead login server offers the other ways at the first run and in /login, and a slow one can be left", async () => {
  await using world = await openTerminalWorld({ isBare: true });
  const silent = createServer(() => {}).listen(0, "127.0.0.1"); // accepts and never answers
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const seat = world.start({ config: ["login.issuer=http://127.0.0.1:1"] }, size);
  await seat.shows("Which one do you want to use?");
  await seat.pass(1000);
  seat.type("1");
  await seat.shows("with a code");
  await seat.pass(1000);
  seat.type("2");
  await seat.shows("127.0.0.1:1 cannot be reached for the login");
  await seat.shows("Which one do you want to use?");
  await seat.pass(1000);
  seat.type("4");
  await seat.shows("unroll-demo");
  await say(seat, "/login code", "Not logged in. Try again, or another way?");
  await seat.pass(1000);
  seat.type("3");
  await seat.shows("Enter your API key.");
  await seat.pass(1000);
  seat.type(`sk-of-ann${keys.enter}`);
  await seat.shows("of OpenAI, from the next request on.");
  await seat.leave();

  await rm(join(world.home, ".codex/auth.json"));
  const slow = world.start({ config: [`login.issuer=http://127.0.0.1:${port}`] }, size);
  await slow.shows("Which one do you want to use?");
  await slow.pass(1000);
  slow.type("4");
  await slow.shows("unroll-demo");
  await say(slow, "/login code", `Contacting 127.0.0.1:${port}.`);
  await slow.shows("another way");
  await slow.pass(1000);
  slow.type("1");
  await slow.shows("Not logged in. Try again, or another way?");
  expect([...slow.scrolled(), ...slow.screen()].join("\n")).not.toContain("Logged in.");
  await slow.leave();
  silent.close();
  silent.closeAllConnections();
});
