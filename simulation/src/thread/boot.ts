import { type Harness, openHarness } from "@unroll/harness";
import type { ResolvedConfig, ServerNotes } from "@unroll/config";
import { simulatedPrice } from "../law/turn-laws.ts";
import { openThreadStoreOn } from "@unroll/rollout";
import type { SimulatedDisk } from "../simulated-disk.ts";
import { createSimulatedMachine, type MachineWorld } from "../create-simulated-machine.ts";
import { createSimulatedPerson, type PersonWorld } from "../create-simulated-person.ts";
import { createId, type SimulatedProcess } from "../simulated-process.ts";
import type { SimulatedServer } from "../server/simulated-server.ts";
import { type ApprovalRules, codexHome, cwd, providers, type SimulatedProvider } from "./load-configs.ts";

/** The parts of the world that outlive every process. */
export interface World extends MachineWorld, PersonWorld {
  readonly disk: SimulatedDisk;
  readonly servers: Readonly<Record<SimulatedProvider["id"], SimulatedServer>>;
  /** The key of each provider. */
  readonly keys: Readonly<Record<SimulatedProvider["id"], string>>;
  readonly serverNotes: ServerNotes;
  readonly setDocument: (text: string | null) => void;
  /** Sets the approval rules of the running process. */
  readonly setRules: (rules: ApprovalRules) => void;
  /** From now on the thread and its sub-agents ask before each command; calls that the model gave before may not. */
  readonly tighten: () => void;
  /** Sets the action of `interrupt` from now on. */
  readonly onInterrupt: (interrupt: () => void) => void;
  /** A file was changed. */
  readonly onPatch: (path: string) => void;
  /** From now on nothing fails. */
  readonly heal: () => void;
}

/** A harness in a process of its own, as a program would open it. */
export async function bootHarness(process: SimulatedProcess, world: World, config: ResolvedConfig): Promise<Harness> {
  const { chance, keys, disk, servers, serverNotes } = world;
  const { clock } = process;
  return openHarness({
    host: {
      env: {
        ...Object.fromEntries(providers.map(({ id, keyName }) => [keyName, keys[id]])),
        XDG_STATE_HOME: "/dev/null",
      },
      cwd,
      homeDirectory: codexHome,
      platform: "linux",
      ownFolders: [],
      now: () => clock.now(),
      localDay: (at) => ({ date: new Date(at).toISOString().slice(0, 10), timeZone: "UTC" }),
      elapsed: () => clock.elapsed(),
      timers: clock,
      connect(baseUrl) {
        const provider = providers.find((each) => each.baseUrl === baseUrl);
        if (provider === undefined) throw new Error(`There is no server at ${baseUrl}.`);
        return servers[provider.id].connect(process);
      },
      random: () => chance.next(),
      newId: () => createId(clock.now(), chance),
    },
    config,
    userAgent: "simulation",
    store: openThreadStoreOn(disk.filesFor(process), clock),
    serverNotes,
    executor: createSimulatedMachine(process, world),
    ignoreRules: true,
    person: createSimulatedPerson(process, world),
    priceOf: () => simulatedPrice,
  });
}

/** Servers can read again what they encrypted: who was refused may not have kept that in mind. */
export function restoreKeys({ servers }: World): void {
  for (const server of Object.values(servers)) server.restoreKeys();
}
