import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type CommandWorld, openCommandWorld } from "../command-world.ts";
import { createCallResponder } from "../call-responder.ts";
import { makeLargeRepository } from "../large-repository.ts";
import { measureTreePeak, measureWall, type ProcessCommand } from "../measure-process.ts";
import { hasSandbox, type Peers, toKeptTurn, toPeerTerminal, toPeerTurn } from "../peers.ts";
import { interleave, median } from "../statistics.ts";
import { openTerminalSeat, type TerminalSeat } from "../terminal-seat.ts";
import { copyThread } from "./copy-thread.ts";
import type { FigureValue, FigureValues, ProgramName } from "./figures.ts";

/** How much the short bench does; tests do less. */
export interface ShortAmounts {
  /** Rounds of what takes less than a second. */
  readonly rounds: number;
  readonly calls: number;
  readonly manyCalls: number;
  readonly folders: number;
  readonly threads: number;
}

export const wholeAmounts: ShortAmounts = { rounds: 2, calls: 100, manyCalls: 1_000, folders: 20_000, threads: 1_000 };

interface Program {
  readonly name: ProgramName;
  terminal(world: CommandWorld): ProcessCommand;
  /** Text on its screen once it accepts messages; null: it accepts them from the first frame. */
  readonly ready: string | null;
  turn(world: CommandWorld, message: string, mode: string): ProcessCommand;
  /** A turn of a thread that it saves, or one that resumes the last thread. */
  kept(world: CommandWorld, which: "new" | "last"): ProcessCommand;
  readonly hasSandbox: boolean;
}

/** The message and the model's answer. */
const [asked, answered] = ["h", "Zebra"];
const folderCalls = 20;
const betweenKeysMs = 500;
/** End of input, then twice the interrupt: each of the programs knows one of them. */
const leavingKeys = ["\u0004", "\u0003", "\u0003"];
const patienceMs = 2_500;
const endMs = 5_000;
const mostTries = 8;

/** Measures the eight rows, the programs in turn; `tell` is given what is measured now. */
export async function measureShort(
  peers: Peers,
  amounts: ShortAmounts,
  tell: (what: string) => void,
): Promise<FigureValues> {
  const programs = [ours, ...Object.entries(peers).map(([name, command]) => toProgram(name, command))];
  const { rounds, calls, manyCalls } = amounts;
  tell("terminals");
  const terminals = await measureTerminals(programs);
  tell("one message");
  const message = await measureMessage(programs, rounds);
  const respond = createCallResponder({ script: "echo hello", login: false });
  let askedAt: number[] = [];
  await using world = await openCommandWorld((...asked) => {
    askedAt.push(performance.now());
    return respond(...asked);
  });
  const run = (count: number, mode: string) => (program: Program) =>
    measureWall(program.turn(world, `calls: ${count}`, mode));
  tell(`${calls} sandboxed calls`);
  const walled = programs.filter((program) => program.hasSandbox);
  const sandboxed = await measureEach(walled, 1, run(calls, "workspace-write"));
  tell(`${manyCalls} calls`);
  const few: Record<string, readonly number[]> = {};
  const many: Record<string, readonly number[]> = {};
  const peaks: Record<string, readonly number[]> = {};
  for (const program of programs) {
    const command = program.turn(world, `calls: ${manyCalls}`, "danger-full-access");
    askedAt = [];
    const began = performance.now();
    const { wall, peak } = await measureTreePeak(command, 50);
    few[program.name] = [(askedAt[calls] ?? Number.NaN) - began]; // the request behind the last of them
    [many[program.name], peaks[program.name]] = [[wall], [peak]];
  }
  tell(`${amounts.folders} folders`);
  makeLargeRepository(world.cwd, amounts.folders);
  const folders = await measureEach(walled, 1, run(folderCalls, "workspace-write"));
  tell(`${amounts.threads} threads`);
  const threads = await measureResume(programs, amounts.threads);
  const of = (measured: Times, otherwise = ""): Readonly<Partial<Record<ProgramName, FigureValue>>> =>
    Object.fromEntries(programs.map(({ name }) => [name, toValue(measured[name], otherwise)]));
  return {
    "first frame": of(terminals.frames),
    "first token": of(terminals.tokens),
    "one message": of(message.walls),
    "100 calls": of(few),
    "100 sandboxed calls": of(sandboxed, "no sandbox"),
    "1,000 calls": of(many),
    "20,000 folders": of(folders, "no sandbox"),
    "1,000 threads": of(threads),
    "memory of one message": of(message.peaks),
    "memory of 1,000 calls": of(peaks),
  };
}

type Times = Readonly<Record<string, readonly number[]>>;

function toValue(measured: readonly number[] | undefined, otherwise: string): FigureValue {
  return measured === undefined ? { missing: otherwise } : median(measured);
}

const ours: Program = {
  name: "unroll",
  terminal: (world) => world.unroll("-s", "danger-full-access"),
  ready: null,
  turn: (world, message, mode) => world.unroll("exec", "--skip-git-repo-check", "-s", mode, message),
  kept: (world, which) => world.unroll(...toKeptTurn("unroll", asked, which)),
  hasSandbox: true,
};

function toProgram(name: string, command: string): Program {
  return {
    name: name === "pi" ? "pi" : "codex",
    terminal: (world) => world.peer(command, ...toPeerTerminal(name)),
    ready: name === "pi" ? null : "gpt-5", // its server starts behind the first frame
    turn: (world, message, mode) => world.peer(command, ...toPeerTurn(name, message, mode)),
    kept: (world, which) => world.peer(command, ...toKeptTurn(name, asked, which)),
    hasSandbox: hasSandbox(name),
  };
}

/** The programs in turn, so often. */
async function measureEach(
  programs: readonly Program[],
  rounds: number,
  measure: (program: Program) => Promise<number>,
): Promise<Times> {
  return interleave(rounds, Object.fromEntries(programs.map((each) => [each.name, () => measure(each)])));
}

async function measureMessage(
  programs: readonly Program[],
  rounds: number,
): Promise<{ readonly walls: Times; readonly peaks: Times }> {
  await using world = await openCommandWorld(() => ({ items: [{ text: answered }] }));
  const toTurn = (program: Program): ProcessCommand => program.turn(world, asked, "danger-full-access");
  for (const program of programs) await measureWall(toTurn(program)); // the first run fills caches
  const walls = await measureEach(programs, rounds, (program) => measureWall(toTurn(program)));
  const peaks = await measureEach(programs, 1, async (program) => (await measureTreePeak(toTurn(program), 2)).peak);
  return { walls, peaks };
}

/** Resumes the last thread, in a home that has many of them. */
async function measureResume(programs: readonly Program[], threads: number): Promise<Times> {
  await using stack = new AsyncDisposableStack();
  const worlds = new Map<string, CommandWorld>();
  for (const program of programs) {
    const world = stack.use(await openCommandWorld(() => ({ items: [{ text: answered }] })));
    worlds.set(program.name, world);
    await measureWall(program.kept(world, "new"));
    await copyThread(dirname(world.codexHome), threads - 1);
    await measureWall(program.kept(world, "last")); // the first run fills caches and lists
  }
  return await measureEach(programs, 1, async (program) => {
    const world = worlds.get(program.name);
    return world === undefined ? Number.NaN : measureWall(program.kept(world, "last"));
  });
}

/** From the start of the process to its first visible text, and from Enter to the first word of an answer that comes at once. */
async function measureTerminals(
  programs: readonly Program[],
): Promise<{ readonly frames: Times; readonly tokens: Times }> {
  await using world = await openCommandWorld(() => ({ items: [{ text: answered }] }));
  const tokens: Record<string, number[]> = {};
  const visit = async (program: Program, leaves: boolean): Promise<number> => {
    const began = performance.now();
    using seat = openTerminalSeat(program.terminal(world));
    const frames = [seat.showsFrame(), ...(program.ready === null ? [] : [seat.shows(program.ready)])];
    const [frame = began] = await Promise.all(frames);
    const token = await measureToken(seat, program.name);
    if (leaves) await leave(seat, program.name);
    else (tokens[program.name] ??= []).push(token);
    return frame - began;
  };
  // The first run fills caches. A program that is killed would keep nothing.
  for (const program of programs) await visit(program, true);
  const frames = await measureEach(programs, 1, (program) => visit(program, false));
  return { frames, tokens };
}

/** Only our program must end: nobody promises that the others know these keys. */
async function leave(seat: TerminalSeat, name: ProgramName): Promise<void> {
  await seat.rests(betweenKeysMs);
  for (const keys of leavingKeys) {
    seat.type(keys);
    await Promise.race([seat.ended(), sleep(betweenKeysMs, null, { ref: false })]);
  }
  const hasEnded = await Promise.race([seat.ended().then(() => true), sleep(endMs, false, { ref: false })]);
  if (!hasEnded && name === ours.name) throw new Error(`The terminal of ${name} did not end.`);
}

async function measureToken(seat: TerminalSeat, name: string): Promise<number> {
  await seat.rests();
  seat.type(asked);
  await seat.rests(betweenKeysMs); // keys that come together are a paste, and Enter among them a line break
  for (let tries = 0; tries < mostTries; tries++) {
    const token = await Promise.race([seat.time("\r", answered), sleep(patienceMs, null, { ref: false })]);
    if (token !== null) return token; // from the Enter that it accepted: a terminal that is still starting ignores it
  }
  throw new Error(`The terminal of ${name} showed no answer.`);
}
