import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, onTestFinished, test } from "vitest";
import { keys, openTerminalWorld } from "./terminal-world.ts";

test.skipIf(!hasSandbox)(
  "a command waits while you are asked about each host, and /status shows which it reached",
  async () => {
    const server = createServer((_, response) => response.end("hello\n")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const fetch = (host: string) => `curl -sS -x "$HTTP_PROXY" --noproxy "" http://${host}:${port}/`;
    const cmd = `${fetch("127.0.0.1")}; ${fetch("127.0.0.2")}`;
    const call = { call: "exec_command", arguments: { cmd, login: false } };
    await using world = await openTerminalWorld({
      config:
        'approval_policy = "on-request"\nsandbox_mode = "workspace-write"\nsandbox_workspace_write.network.allow = []\n',
      turns: [{ items: [call] }, { items: [{ text: "It is done." }] }],
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
