import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxRunner } from "@unroll/sandbox";
import { createSelfSigned } from "@unroll/text/fixture/self-signed";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { openRunner, runCommand, time } from "./sandbox-runner.ts";
import { interleave, median } from "./statistics.ts";

export const name = "hosts";

const callsPerRound = 15;
const mostMs = 3; // added to a command
const leastRatio = 0.5; // of a direct connection's speed
const bodyBytes = 2 ** 29;
/** Links that users have; a server keeps to their speed. In Gbit/s. */
const links = [1, 10];

/** Hosts by name: their cost for each command, and their speed beside a direct connection. */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  await using base = await mkdtempDisposable(join(tmpdir(), "unroll-bench-"));
  const cwd = join(base.path, "work");
  mkdirSync(cwd);
  await using closed = await openRunner(base.path, cwd);
  await using direct = await openRunner(base.path, cwd, { networkAccess: true });
  await using hosts = await openRunner(base.path, cwd, { hosts: { allow: ["shop.example", "127.0.0.1"], deny: [] } });
  const run = (runner: SandboxRunner, ...argv: readonly string[]): Promise<string> => runCommand(runner, argv, cwd);

  for (const runner of [closed, hosts]) await run(runner, "/bin/true");
  const times = await interleave(rounds * callsPerRound, {
    closed: () => time(() => run(closed, "/bin/true")),
    hosts: () => time(() => run(hosts, "/bin/true")),
  });
  const added = median(times.hosts.map((each, at) => each - (times.closed[at] ?? 0)));

  await using server = await serveBodies();
  await using relay = await relayTo(server.plain);
  const curl = ["curl", "-sSk", "-o", "/dev/null", "-w", "%{speed_download}"];
  const fetch = async (runner: SandboxRunner, url: string): Promise<number> => Number(await run(runner, ...curl, url));
  const [plain, tls] = [`:${server.plain}/`, `:${server.tls}/`];
  /** This process has the relay and the proxy, and starts the sandbox. In ms a GiB. */
  const processorTimes: Record<"relayed" | "byName", number[]> = { relayed: [], byName: [] };
  const measured = async (to: number[], fetched: () => Promise<number>): Promise<number> => {
    const before = process.cpuUsage();
    const speed = await fetched();
    const { user, system } = process.cpuUsage(before);
    to.push(((user + system) / 1_000) * (2 ** 30 / bodyBytes));
    return speed;
  };
  const linkRows: BenchRow[] = [];
  for (const gigabits of links) {
    const { near, byName } = await interleave(rounds, {
      near: () => fetch(direct, `http://127.0.0.1${plain}${gigabits}`),
      byName: () => fetch(hosts, `http://shop.example${plain}${gigabits}`),
    });
    linkRows.push(...toRows(`HTTP at ${gigabits} Gbit/s`, near, byName));
  }
  const speeds = await interleave(rounds, {
    plain: () => fetch(direct, `http://127.0.0.1${plain}`),
    relayed: () => measured(processorTimes.relayed, () => fetch(direct, `http://127.0.0.1:${relay.port}/`)),
    plainByName: () => measured(processorTimes.byName, () => fetch(hosts, `http://shop.example${plain}`)),
    tls: () => fetch(direct, `https://127.0.0.1${tls}`),
    tlsByName: () => fetch(hosts, `https://shop.example${tls}`),
  });
  return {
    name,
    rows: [
      { label: "command, no network", value: median(times.closed), unit: "ms" },
      {
        label: "hosts by name add",
        value: added,
        unit: "ms a command",
        target: `<= ${mostMs} ms`,
        ok: added <= mostMs,
      },
      {
        label: "HTTP, through a relay of `pipe` alone",
        value: median(speeds.relayed) / 1e6,
        unit: "MB/s",
        ratio: median(speeds.relayed) / median(speeds.plain),
      },
      ...linkRows,
      ...toRows("HTTP", speeds.plain, speeds.plainByName),
      { label: "HTTP, direct: time", value: (2 ** 30 * 1_000) / median(speeds.plain), unit: "ms a GiB" },
      { label: "HTTP, relay of `pipe`: processor time", value: median(processorTimes.relayed), unit: "ms a GiB" },
      { label: "HTTP, by name: processor time", value: median(processorTimes.byName), unit: "ms a GiB" },
      ...toRows("TLS", speeds.tls, speeds.tlsByName),
    ],
  };
}

function toRows(protocol: string, direct: readonly number[], byName: readonly number[]): readonly BenchRow[] {
  const ratio = median(byName) / median(direct);
  const target = `>= ${leastRatio}x direct`;
  return [
    { label: `${protocol}, direct`, value: median(direct) / 1e6, unit: "MB/s", ratio: 1 },
    {
      label: `${protocol}, by name`,
      value: median(byName) / 1e6,
      unit: "MB/s",
      ratio,
      target,
      ok: ratio >= leastRatio,
    },
  ];
}

/** In a process of its own: the proxy is in this one. */
const server = `
const { once } = require("node:events");
const { createServer } = require("node:http");
const { createServer: createTlsServer } = require("node:https");
const piece = Buffer.alloc(2 ** 20);
const answer = (request, response) => {
  // The path is a speed in Gbit/s. Without one, it is as fast as it can be.
  const perMs = Number(request.url.slice(1)) * 125_000 || Infinity;
  const all = Math.min(${bodyBytes}, piece.length * Math.ceil((perMs * 400) / piece.length));
  let left = all;
  response.writeHead(200, { "content-length": left });
  const began = performance.now();
  const more = () => {
    while (left > 0) {
      if ((all - left) / perMs > performance.now() - began) return setTimeout(more, 1);
      left -= piece.length;
      if (!response.write(piece)) return response.once("drain", more);
    }
    response.end();
  };
  more();
};
const servers = [createServer(answer), createTlsServer(JSON.parse(process.env.KEY), answer)];
// Once, when both listen: two outputs could arrive as one.
Promise.all(servers.map((each) => once(each.listen(0, "127.0.0.1"), "listening"))).then(() =>
  process.stdout.write(servers.map((each) => each.address().port).join(" ")),
);
`;

/** The least that a proxy in Node.js does, in this process like the proxy: it reads and judges nothing. */
async function relayTo(port: number) {
  const relay = createServer((client) => {
    const host = connect(port, "127.0.0.1");
    client.pipe(host).pipe(client);
    for (const socket of [client, host]) socket.on("error", () => [client, host].map((each) => each.destroy()));
  });
  await once(relay.listen(0, "127.0.0.1"), "listening");
  const address = relay.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
}

async function serveBodies() {
  const env = { KEY: JSON.stringify(createSelfSigned()) };
  const child = spawn(process.execPath, ["-e", server], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [plain, tls] = String((await once(child.stdout, "data"))[0]).split(" ");
  return {
    plain: Number(plain),
    tls: Number(tls),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}
