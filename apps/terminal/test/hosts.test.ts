import { askTwoHosts } from "@unroll/program/fixture/two-hosts";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { keys, openTerminalWorld } from "./terminal-world.ts";

test.skipIf(!hasSandbox)(
  "a command waits while you are asked about each host, and /status shows which it reached",
  async () => {
    const { port, turns } = await askTwoHosts();
    await using world = await openTerminalWorld({
      config:
        'approval_policy = "on-request"\nsandbox_mode = "workspace-write"\nsandbox_workspace_write.network.allow = []\n',
      turns,
      env: { PATH: process.env["PATH"] ?? "" },
    });
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
  },
);
