import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { createCallResponder } from "./call-responder.ts";
import { openCommandWorld } from "./command-world.ts";
import { measureCpu, measurePeakMemory, measureTimes, measureWall, type ProcessCommand } from "./measure-process.ts";
import { hasSandbox, type Peers, toPeerTurn } from "./peers.ts";
import { interleave, median } from "./statistics.ts";

export const name = "tool-calls";

const script = "echo hello";
const overheadTarget = 4; // ms a call
const growthTarget = 11; // times, for ten times the calls
const memoryTarget = 95; // MiB
const cpuTarget = 1.15; // times the limit
/** The share of a peer's time for the same turns. */
const shareTargets: Readonly<Record<string, number>> = {
  "100 calls against pi": 0.4,
  "1,000 calls against pi": 0.3,
  "100 sandboxed calls against codex": 0.15,
};

/** Spawns the same commands as the turn, one after the other, and nothing else. */
const bareCommands = `
const { spawn } = require("node:child_process");
const { once } = require("node:events");
(async () => {
  for (let i = 0; i < Number(process.argv[1]); i++) {
    await once(spawn("bash", ["-c", ${JSON.stringify(script)}], { stdio: ["ignore", "pipe", "pipe"] }), "close");
  }
})();`;

/** The same commands, each behind a request as long as the turn's would be: the limit of what a turn can cost. */
const bareTurn = `
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const http = require("node:http");
const [url, calls] = [process.argv[1], Number(process.argv[2])];
const agent = new http.Agent({ keepAlive: true });
const headers = { "content-type": "application/json", "session-id": "bare-" + process.pid };
const message = { type: "message", role: "user", content: [{ type: "input_text", text: "calls: " + calls }] };
const head = JSON.stringify({ model: "m", stream: true, store: false, instructions: "x".repeat(18000), tools: [{ name: "shell_command" }] });
const chunks = [Buffer.from(head.slice(0, -1) + ',"input":[' + JSON.stringify(message))];
async function post() {
  const request = http.request(url + "/responses", { method: "POST", agent, headers });
  request.end(Buffer.concat([...chunks, Buffer.from("]}")]));
  const [response] = await once(request, "response");
  response.resume();
  await once(response, "end");
}
(async () => {
  for (let i = 0; i < calls; i++) {
    await post();
    await once(spawn("bash", ["-c", ${JSON.stringify(script)}], { stdio: ["ignore", "pipe", "pipe"], detached: true }), "close");
    chunks.push(Buffer.from("," + JSON.stringify({ type: "function_call_output", call_id: "call_" + i, output: "x".repeat(300) })));
  }
  await post();
  agent.destroy();
})();`;

/** A turn of N tool calls, one a response, against the same N commands spawned by bare node. */
export async function run({ rounds, peers }: BenchOptions): Promise<BenchResult> {
  await using world = await openCommandWorld(createCallResponder({ script, login: false }));
  const commands: Record<string, ProcessCommand> = {
    "bare node, 100 commands": world.node("-e", bareCommands, "100"),
    "unroll, 100 calls": world.unroll(...turn(100)),
    "unroll, 100 sandboxed calls": world.unroll(...turn(100, "workspace-write")),
  };
  for (const [peer, command] of Object.entries(peers)) {
    commands[`${peer}, 100 calls`] = world.peer(command, ...peerTurn(peer, 100));
    if (!hasSandbox(peer)) continue;
    commands[`${peer}, 100 sandboxed calls`] = world.peer(command, ...peerTurn(peer, 100, "workspace-write"));
  }
  const both = await interleave(rounds, toMeasures(commands));
  const [few, fewCpu] = [pick(both, "wall"), pick(both, "cpu")];
  const many: Times = await interleave(Math.max(3, Math.ceil(rounds / 3)), {
    "again, 100 calls": () => measureWall(world.unroll(...turn(100))),
    "unroll, 1,000 calls": () => measureWall(world.unroll(...turn(1000))),
    ...Object.fromEntries(
      Object.entries(peers).map(([peer, command]) => [
        `${peer}, 1,000 calls`,
        () => measureWall(world.peer(command, ...peerTurn(peer, 1000))),
      ]),
    ),
  });
  const cpus = await interleave(3, {
    limit: () => measureCpu(world.node("-e", bareTurn, world.model.url, "1000")),
    ours: () => measureCpu(world.unroll(...turn(1000))),
  });
  const peaks = await interleave(3, { peak: () => measurePeakMemory(world.unroll(...turn(1000))) });
  const of = (label: string): number => median(few[label] ?? []);
  const base = of("bare node, 100 commands");
  const ours = of("unroll, 100 calls");
  return {
    name,
    rows: [
      ...Object.keys(few).map((label) => ({ label, value: of(label), unit: "ms", ratio: of(label) / base })),
      ...toCpuRows(fewCpu),
      {
        label: "unroll, overhead a call, start-up included",
        unit: "ms",
        ...bound((ours - base) / 100, overheadTarget, " ms"),
      },
      ...toGrowth(median(many["unroll, 1,000 calls"] ?? []), median(many["again, 100 calls"] ?? [])),
      ...toCpu(median(cpus.ours), median(cpus.limit)),
      { label: "unroll, 1,000 calls: peak memory", unit: "MiB", ...bound(median(peaks.peak), memoryTarget, " MiB") },
      ...toShares(peers, { ...few, ...many }),
    ],
  };
}

function turn(calls: number, mode = "danger-full-access"): readonly string[] {
  return ["exec", "--skip-git-repo-check", "-s", mode, `calls: ${calls}`];
}

function bound(value: number, most: number, unit: string): Pick<BenchRow, "value" | "target" | "ok"> {
  return { value, target: `<= ${most}${unit}`, ok: value <= most };
}

function toGrowth(grown: number, ours: number): readonly BenchRow[] {
  const ratio = grown / ours;
  return [
    { label: "unroll, 1,000 calls against 100", unit: "ms", ratio, ...bound(ratio, growthTarget, "x"), value: grown },
  ];
}

function toCpu(ours: number, limit: number): readonly BenchRow[] {
  const ratio = ours / limit;
  return [
    { label: "bare node, 1,000 commands and requests: CPU of all", unit: "ms", value: limit, ratio: 1 },
    { label: "unroll, 1,000 calls: CPU of all", unit: "ms", ratio, ...bound(ratio, cpuTarget, "x"), value: ours },
  ];
}

type Times = Readonly<Record<string, readonly number[]>>;

function toShares(peers: Peers, times: Times): readonly BenchRow[] {
  return Object.keys(peers).flatMap((peer) =>
    ["100 calls", "1,000 calls", "100 sandboxed calls"].flatMap((what): readonly BenchRow[] => {
      const theirs = times[`${peer}, ${what}`];
      if (theirs === undefined) return [];
      const value = median(times[`unroll, ${what}`] ?? []);
      const ratio = value / median(theirs);
      const most = shareTargets[`${what} against ${peer}`];
      const target = most === undefined ? {} : { target: `<= ${most}x`, ok: ratio <= most };
      return [{ label: `unroll, ${what} against ${peer}`, value, unit: "ms", ratio, ...target }];
    }),
  );
}

function peerTurn(peer: string, calls: number, mode = "danger-full-access"): readonly string[] {
  return toPeerTurn(peer, `calls: ${calls}`, mode);
}

/** CPU time of each, with all the processes that it waited for: what a busy machine changes least. */
function toCpuRows(times: Times): readonly BenchRow[] {
  const base = median(Object.values(times)[0] ?? []);
  return Object.entries(times).map(([label, each]) => {
    const value = median(each);
    return { label: `${label}: CPU of all`, value, unit: "ms", ratio: value / base };
  });
}

interface RunTimes {
  readonly wall: number;
  readonly cpu: number;
}

function pick(times: Readonly<Record<string, readonly RunTimes[]>>, kind: keyof RunTimes): Times {
  return Object.fromEntries(Object.entries(times).map(([label, each]) => [label, each.map((time) => time[kind])]));
}

function toMeasures(commands: Readonly<Record<string, ProcessCommand>>): Record<string, () => Promise<RunTimes>> {
  return Object.fromEntries(Object.entries(commands).map(([label, command]) => [label, () => measureTimes(command)]));
}
