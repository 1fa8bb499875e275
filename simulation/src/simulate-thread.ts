import type { ResolvedConfig, ServerNote, ServerNotes } from "@unroll/config";
import { type Chance, createChance } from "./create-chance.ts";
import { createClockShift } from "./time/clock-shift.ts";
import { createSimulatedDisk } from "./simulated-disk.ts";
import { createAgentLaws } from "./law/agent-laws.ts";
import { createApprovalLaws } from "./law/approval-laws.ts";
import { createLawBook, type LawBook } from "./law/law-book.ts";
import { createHistoryLaws } from "./law/history-laws.ts";
import { createRequestLaws } from "./law/request-laws.ts";
import { startProcess } from "./simulated-process.ts";
import { createSimulatedServer, type SimulatedServer } from "./server/simulated-server.ts";
import {
  type ApprovalRules,
  type ConfigChoice,
  loadConfigs,
  type Presets,
  providers,
  type SimulatedProvider,
  toToolModes,
} from "./thread/load-configs.ts";
import { isLook } from "./create-mcp-connect.ts";
import type { World } from "./thread/boot.ts";
import type { Scene } from "./thread/live-program.ts";
import { type PlayedThread, playThread } from "./thread/play-thread.ts";
import { createVirtualTime, type VirtualTime } from "./time/virtual-time.ts";

/** The result of a seed. */
export interface SimulatedThread {
  readonly seed: number;
  /** The laws that were broken, a sentence each. */
  readonly broken: readonly string[];
  /** The steps in order, one on each line. */
  readonly steps: readonly string[];
  /** A hash of all steps: the same for each run of the seed. */
  readonly hash: string;
  readonly figures: SimulatedFigures;
}

export interface SimulatedFigures {
  /** How often a thread was opened, resumed or forked. */
  readonly threads: number;
  readonly turns: number;
  readonly requests: number;
  readonly commands: number;
  readonly faults: number;
  readonly kills: number;
  /** Of simulated time, in ms. */
  readonly elapsedMs: number;
}

export type Simulate = (seed: number) => Promise<SimulatedThread>;

/** Nobody may be shown them, and each server gets its own. */
const keys = {
  simulated: "a-simulated-key-0123456789abcdefghijklm",
  spare: "another-simulated-key-9876543210zyxwvuts",
} as const;
const startOfTime = Date.UTC(2026, 0, 1);

/** Loads what a simulation needs of the real world, once. */
export async function openSimulation(): Promise<Simulate> {
  const toConfig = await loadConfigs();
  return (seed) => simulateThread(seed, toConfig);
}

type ToConfig = (choice: ConfigChoice, presets: Presets) => ResolvedConfig;

async function simulateThread(seed: number, toConfig: ToConfig): Promise<SimulatedThread> {
  const time = createVirtualTime();
  const book = createLawBook(() => time.elapsed);
  const { scene, counts } = createScene(createChance(seed), { time, book, toConfig });
  let played: PlayedThread = { threads: 0, turns: 0, kills: 0 };
  try {
    played = await time.drive(playThread(scene));
  } catch (error) {
    book.breach(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const figures = { ...played, ...counts(), elapsedMs: time.elapsed };
  return { seed, broken: book.broken, steps: book.steps, hash: book.hash(), figures };
}

interface SceneParts {
  readonly time: VirtualTime;
  readonly book: LawBook;
  readonly toConfig: ToConfig;
}

interface OpenScene {
  readonly scene: Scene;
  readonly counts: () => Pick<SimulatedFigures, "requests" | "commands" | "faults">;
}

function createScene(chance: Chance, { time, book, toConfig }: SceneParts): OpenScene {
  const laws = createRequestLaws(book, Object.values(keys));
  const faults = chance.pick(0, 0.05, 0.2, 0.5);
  const shift = createClockShift(chance);
  const now = (): number => startOfTime + time.elapsed + shift();
  let [counted, faultCount, isHealed] = [0, 0, false];
  let document: string | null = null;
  const count = (): number => (counted += 1);
  const onFault = (what: string): void => {
    faultCount += 1;
    book.note(`fault: ${what}`);
  };
  const rateOf = (): number => (isHealed ? 0 : faults);
  const disk = createSimulatedDisk({ chance, faults: () => rateOf() / 5, onFault });
  const bytesOf = (threadId: string): Buffer => disk.bytesOf(threadId);
  const agents = createAgentLaws(book, bytesOf);
  const { ran, ...deeds } = createDeeds({ book, agents, count });
  const toServer = ({ id, models }: SimulatedProvider): SimulatedServer =>
    createSimulatedServer({
      chance,
      book,
      laws,
      agents,
      count,
      models,
      secret: keys[id],
      now,
      onFault,
      faults: rateOf,
      bytesOf,
    });
  const [first, second] = providers;
  const servers = { simulated: toServer(first), spare: toServer(second) };
  const presets = { simulated: servers.simulated.preset, spare: servers.spare.preset };
  const world = {
    chance,
    disk,
    servers,
    serverNotes: createServerNotes(),
    keys,
    secret: keys.simulated,
    onFault,
    faults: rateOf,
    document: () => document,
    setDocument: (text: string | null) => void (document = text),
    heal: () => void (isHealed = true),
    isHealed: () => isHealed,
    ...deeds,
  };
  const scene = {
    world,
    book,
    laws,
    agents,
    history: createHistoryLaws(book),
    toConfig: (choice: ConfigChoice) => toConfig(choice, presets),
    count,
    startProcess: (killAt: number | null) => startProcess({ time, book, now, killAt }),
  };
  const countRequests = (): number => servers.simulated.requests + servers.spare.requests;
  return { scene, counts: () => ({ requests: countRequests(), commands: ran.size, faults: faultCount }) };
}

/** In memory: notes on servers last for one seed. */
function createServerNotes(): ServerNotes {
  const notes = new Map<string, ServerNote>();
  return {
    read: async (served) => notes.get(JSON.stringify(served)) ?? { features: [], members: [] },
    save: async (served, note) => void notes.set(JSON.stringify(served), note),
  };
}

type Deeds = Pick<
  World,
  "approvals" | "setRules" | "tighten" | "onInterrupt" | "interrupt" | "onPatch" | "onRun" | "onCall" | "onConsent"
> & {
  readonly ran: ReadonlySet<string>;
};

/** The actions of tools, and checks of whether they are allowed. `count`: as of the scene, whose numbers are in scripts and paths. */
function createDeeds({ book, agents, count }: Pick<Scene, "book" | "agents" | "count">): Deeds {
  const ran = new Set<string>();
  const approvals = createApprovalLaws(book);
  const first: ApprovalRules = { approvalPolicy: "never", mcpMode: "auto", mcpWriteMode: null };
  /** The newest first; each is for what the model wrote behind the number `from`. */
  let rules: readonly { readonly from: number; readonly rules: ApprovalRules }[] = [{ from: 0, rules: first }];
  let interrupt = (): void => {};
  const enter = (script: string): void => {
    if (ran.has(script)) book.breach(`ran twice: ${script}`);
    ran.add(script);
  };
  const numberOf = (text: string): number => Number(/\d+/.exec(text)?.[0] ?? 0);
  const rulesFor = (text: string): ApprovalRules => {
    const number = numberOf(text);
    return rules.find(({ from }) => number > from)?.rules ?? first;
  };
  const mustAsk = (text: string, what: "command" | "patch"): boolean =>
    rulesFor(text).approvalPolicy === "untrusted" || agents.mustAsk(numberOf(text), what);
  return {
    ran,
    approvals,
    setRules: (next) => void (rules = [{ from: 0, rules: next }]),
    tighten: () => {
      const [{ rules: before } = { rules: first }] = rules;
      rules = [{ from: count(), rules: { ...before, approvalPolicy: "untrusted" } }, ...rules];
    },
    onInterrupt: (next) => void (interrupt = next),
    interrupt: () => interrupt(),
    onPatch: (path) => approvals.happened(path, mustAsk(path, "patch")),
    onRun(script) {
      enter(script);
      approvals.happened(script, mustAsk(script, "command"));
    },
    onConsent: (form) => approvals.happened(form, true),
    onCall(tool, script) {
      enter(script);
      const ruled = rulesFor(script);
      const { approvalPolicy, mcpMode: mode } = ruled;
      const isAsking = approvalPolicy !== "never";
      approvals.called(tool, script, { isAsking, mode, toolModes: toToolModes(ruled), readOnly: isLook(tool.tool) });
    },
  };
}
