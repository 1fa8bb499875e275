import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askTwoHosts } from "@unroll/program/fixture/two-hosts";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { describe, expect, test } from "vitest";
import { keys, openTerminalWorld } from "./terminal-world.ts";

const config =
  'approval_policy = "on-request"\nsandbox_mode = "workspace-write"\nsandbox_workspace_write.network.allow = []\n';
const env = { PATH: process.env["PATH"] ?? "" };

describe.skipIf(!hasSandbox)("hosts by name", () => {
  test("a command waits while you are asked about each host, and /status shows which it reached", async () => {
    const { port, turns } = await askTwoHosts();
    await using world = await openTerminalWorld({ config, turns, env });
    const seat = world.start({ prompt: "go" }, { columns: 100, rows: 60 });
    for (const [host, key] of [
      ["127.0.0.1", "y"],
      ["127.0.0.2", "n"],
    ]) {
      await seat.shows("Let this command reach a host?");
      await seat.shows(`host      │ ${host}:${port}`);
      await seat.pass(1000);
      seat.type(key ?? "");
      await seat.hides(`host      │ ${host}:${port}`);
    }
    await seat.shows("It is done.");
    await seat.hides("working");
    seat.type(`/status${keys.enter}`);
    await seat.shows("2 requests in 1 turn");
    const [reached = "", denied = ""] = seat
      .screen()
      .slice(seat.screen().findIndex((line) => line.startsWith("hosts")));
    expect(reached).toMatch(
      new RegExp(`^hosts +127\\.0\\.0\\.1:${port}: 1 connection, \\d+ bytes sent, \\d+ received$`),
    );
    expect(denied.trim()).toBe(`127.0.0.2:${port}: denied`);
  });

  test("a command that runs on after its turn keeps its question open, and shows the answer that you give later", async () => {
    const { cmd, port } = await askTwoHosts();
    const start = { call: "exec_command", arguments: { cmd, login: false, yield_time_ms: 250 } };
    const untilAsked = { call: "exec_command", arguments: { cmd: "until test -e asked; do sleep 0.01; done" } };
    const turns = [[start], [untilAsked], [{ text: "It runs." }]].map((items) => ({ items }));
    await using world = await openTerminalWorld({ config, turns, env });
    const seat = world.start({ prompt: "go" }, { columns: 100, rows: 60 });
    await seat.shows("Let this command reach a host?");
    await writeFile(join(world.work, "asked"), "");
    await seat.shows("It runs.");
    await seat.hides("working");
    const shown = () =>
      [...seat.scrolled(), ...seat.screen()].filter((line) => line.startsWith("? asked about a host"));
    expect(shown()).toEqual([]);
    await seat.pass(1000);
    seat.type("y");
    await seat.shows("? asked about a host: yes");
    await seat.shows(`host      │ 127.0.0.2:${port}`); // the command names it, too
    await seat.pass(1000);
    seat.type("n");
    await seat.shows("? asked about a host: no");
    expect(shown()).toEqual(["? asked about a host: yes", "? asked about a host: no"]);
  });
});
