import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { askTwoHosts } from "@unroll/program/fixture/two-hosts";
import { expect, test } from "vitest";
import { openModelWorld } from "./run-in-process.ts";
import { hasSandbox } from "./run-unroll.ts";

test.skipIf(!hasSandbox)(
  "exec --json, threads show and threads export tell which hosts a command reached, and which were denied",
  async () => {
    const { port, cmd, turns } = await askTwoHosts();
    await using world = await openModelWorld({ script: { turns } });
    const flags = ["-s", "workspace-write", "--allow-host", `127.0.0.1:${port}`, "--skip-git-repo-check"];
    const { stdout } = await world.run(["exec", "--json", ...flags, "Go"]);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const of = { item_id: "item_0", command: expect.stringContaining(cmd) as unknown, port };
    const bytes: unknown = expect.any(Number);
    const reason = `127.0.0.2:${port} is not among the hosts that commands may reach. Nobody is here to approve it. To allow it beforehand: --allow-host 127.0.0.2:${port}`;
    expect(events.filter(({ type }) => String(type).startsWith("host."))).toEqual([
      { type: "host.allowed", ...of, host: "127.0.0.1", rule: `127.0.0.1:${port}` },
      { type: "host.denied", ...of, host: "127.0.0.2", rule: null, reason },
      { type: "host.closed", ...of, host: "127.0.0.1", connections: 1, sent_bytes: bytes, received_bytes: bytes },
    ]);
    const page = join(world.work, "thread.html");
    const shown = (await world.run(["threads", "show", "--last"])).stdout;
    const markdown = (await world.run(["threads", "export", "--last", "--html", page, "--markdown"])).stdout;
    expect(shown).toContain(`\nhost denied: ${reason}\n`);
    for (const text of [markdown, await readFile(page, "utf8")]) {
      expect(text).toContain(`Host denied: ${reason}`);
      expect(text).toMatch(`Host reached: 127.0.0.1:${port}, 1 connection, `);
    }
  },
);
