// A fleet of virtual workers: what waits where, and what breaks first.
//   node bench/src/virtual-fleet.ts [--machines N] [--threads N] [--cores N] [--limit N] [--groups N] [--queue redis|postgres]
// Without --machines: 1, 10, 100 and 1,000 of them. Each call of a task asks the model, saves its answer, runs a command and saves its
// output; beside that, leases are renewed and cancelled tasks looked for. Time is virtual, and chance comes from a seed.
import { pathToFileURL } from "node:url";
// @boundaries-ignore it belongs to another package, and only benches and simulations need it
import { type Chance, createChance } from "../../simulation/src/create-chance.ts";
// @boundaries-ignore it belongs to no package
import { oneOf, parseArguments, wholeFrom } from "../../tooling/parse-arguments.ts";

/** A fleet; times are in seconds. */
export interface Fleet {
  readonly machines: number;
  /** Threads at once on each machine. */
  readonly threads: number;
  /** Cores of each machine, for commands. */
  readonly cores: number;
  /** Requests a minute that the provider takes. */
  readonly limit: number;
  /** Groups of machines, each with a database and a queue of its own. */
  readonly groups: number;
  readonly queue: "redis" | "postgres";
}

/** The part of its time that each place was busy, and how long a call waited for it. */
export interface FleetResult {
  readonly tasksAnHour: number;
  readonly places: Readonly<Record<PlaceName, { readonly busy: number; readonly waitMs: number }>>;
}

type PlaceName = "provider" | "cores" | "database" | "queue";

/** The task of docs/scale.md: 20 calls in 3 minutes. */
const callsPerTask = 20;
const modelSeconds = 7.5;
const commandSeconds = 1.5;
/** Measured (bench/README.md, "A fleet"), on one machine that did other things, too. A second; `looks`: tasks that looks of 100 cover. */
const measured = { rows: 2_985, leases: 12_217, looks: { redis: 66_800, postgres: 135_500 } } as const;
/** As in packages/store-postgres and packages/queue. */
const leaseSeconds = 10;
const lookSeconds = 2;
const seconds = 120;
/** Until threads that began together have spread out. */
const warmUp = 40;

/** Runs the fleet for two virtual minutes. */
export function simulateFleet(fleet: Fleet): FleetResult {
  const { machines, threads, groups } = fleet;
  const chance = createChance(34);
  const timers = createTimers();
  const until = warmUp + seconds;
  const rows = 1 / measured.rows;
  const perGroup = (machines * threads) / groups;
  // Leases and looks take their part of each server from the calls.
  const beats = perGroup / leaseSeconds / measured.leases;
  const looks = perGroup / lookSeconds / measured.looks[fleet.queue];
  const provider = createPlace(1);
  const databases = Array.from({ length: groups }, () => createPlace(1));
  const cores = Array.from({ length: machines }, () => createPlace(fleet.cores));
  const onDatabase = rows / Math.max(0.001, 1 - beats);
  let calls = 0;

  // The stages of a call: 0 the request, 1 its answer is saved, 2 the command, 3 its output is saved.
  const step = (thread: number, stage: number, now: number): void => {
    const machine = Math.floor(thread / threads);
    const database = databases[machine % groups] ?? provider;
    const counts = now >= warmUp;
    const next = (stage + 1) % 4;
    const take = (place: Place, length: number): number => place.take({ now, length, counts });
    if (stage === 0) timers.add(take(provider, 60 / fleet.limit) + modelSeconds * around(chance), thread, next);
    else if (stage === 2) timers.add(take(cores[machine] ?? provider, commandSeconds * around(chance)), thread, next);
    else timers.add(take(database, onDatabase), thread, next);
    if (stage === 3 && counts) calls += 1;
  };
  for (let thread = 0; thread < machines * threads; thread += 1)
    timers.add(chance.next() * (modelSeconds + commandSeconds), thread, 0);
  for (let timer = timers.take(); timer !== null && timer.at < until; timer = timers.take())
    step(timer.thread, timer.stage, timer.at);
  const sum = (places: readonly Place[]): { readonly busy: number; readonly waitMs: number } => ({
    busy: places.reduce((all, place) => all + place.busy, 0) / places.length / seconds,
    waitMs: (places.reduce((all, place) => all + place.waited, 0) / Math.max(1, calls)) * 1000,
  });
  const store = sum(databases);
  return {
    tasksAnHour: (calls / callsPerTask / seconds) * 3600,
    places: {
      provider: sum([provider]),
      cores: sum(cores),
      database: { ...store, busy: Math.max(store.busy, beats) },
      queue: { busy: looks, waitMs: 0 },
    },
  };
}

/** Servers that work side by side; who comes first is served first. */
interface Place {
  /** Returns when it is done. */
  take(work: { readonly now: number; readonly length: number; readonly counts: boolean }): number;
  readonly busy: number;
  readonly waited: number;
}

function createPlace(servers: number): Place {
  const free = new Float64Array(servers);
  let [busy, waited] = [0, 0];
  return {
    take({ now, length, counts }) {
      const first = free.indexOf(Math.min(...free));
      const start = Math.max(now, free[first] ?? 0);
      free[first] = start + length;
      if (counts) [busy, waited] = [busy + length / servers, waited + start - now];
      return start + length;
    },
    get busy() {
      return Math.min(busy, seconds);
    },
    get waited() {
      return waited;
    },
  };
}

interface Timer {
  readonly at: number;
  readonly thread: number;
  readonly stage: number;
}

/** The next one first, by a list for each hundredth of a second. */
function createTimers(): { add(at: number, thread: number, stage: number): void; take(): Timer | null } {
  const parts = 100;
  const lists = new Map<number, Timer[]>();
  let [current, list]: [number, Timer[]] = [0, []];
  const last = (warmUp + seconds) * parts;
  return {
    add(at, thread, stage) {
      const slot = Math.max(current, Math.floor(at * parts));
      const timer = { at, thread, stage };
      if (slot === current) list.splice(list.findLastIndex((each) => each.at > at) + 1, 0, timer);
      else if (slot <= last) {
        const others = lists.get(slot);
        if (others === undefined) lists.set(slot, [timer]);
        else others.push(timer);
      }
    },
    take() {
      for (; list.length === 0; current += 1) {
        if (current > last) return null;
        list = (lists.get(current + 1) ?? []).sort((a, b) => b.at - a.at);
        lists.delete(current + 1);
      }
      return list.pop() ?? null;
    },
  };
}

/** 1 on average, and often less: exponential. */
function around(chance: Chance): number {
  return -Math.log(1 - chance.next());
}

function describe(fleet: Fleet): string {
  const { tasksAnHour, places } = simulateFleet(fleet);
  const cells = Object.values(places).map(({ busy, waitMs }) => {
    const wait =
      waitMs < 1 ? "" : `, waits ${waitMs < 1000 ? `${Math.round(waitMs)} ms` : `${Math.round(waitMs / 1000)} s`}`;
    return `${busy > 1 ? "over 100" : Math.round(busy * 100)} %${wait}`;
  });
  const [first = ["", { busy: 0 }]] = Object.entries(places).toSorted(([, a], [, b]) => b.busy - a.busy);
  const named = first[1].busy > 0.8 ? first[0] : "nothing";
  return `| ${[fleet.machines, fleet.machines * fleet.threads, Math.round(tasksAnHour), ...cells, named].map((cell) => cell.toLocaleString("en-US")).join(" | ")} |`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const number = wholeFrom(1);
  const options = { machines: number, threads: number, cores: number, limit: number, groups: number };
  const given = parseArguments(
    "node bench/src/virtual-fleet.ts [--machines N] [--threads N] [--cores N] [--limit N] [--groups N] [--queue redis|postgres]",
    {
      options: { ...options, queue: oneOf<Fleet["queue"]>(["redis", "postgres"]) },
    },
  );
  const { threads, cores, limit, groups, queue } = given;
  const fleet = {
    threads: threads ?? 100,
    cores: cores ?? 16,
    limit: limit ?? 10_000,
    groups: groups ?? 1,
    queue: queue ?? "redis",
  };
  const header = ["machines", "threads", "tasks an hour", "provider", "cores", "database", "queue", "full"];
  const lines = [header, header.map(() => "---")].map((cells) => `| ${cells.join(" | ")} |`);
  for (const machines of given.machines === null ? [1, 10, 100, 1_000] : [given.machines])
    lines.push(describe({ ...fleet, machines, groups: Math.min(fleet.groups, machines) }));
  process.stdout.write(`${lines.join("\n")}\n`);
}
