import { type Harness, openHarness } from "@unroll/harness";
import type { ResolvedConfig, ServerNotes } from "@unroll/config";
import { simulatedPrice } from "../law/turn-laws.ts";
import { createResponsesClient, type ResponsesClient } from "@unroll/responses-client";
import { openThreadStoreOn } from "@unroll/rollout";
import type { SimulatedDisk } from "../simulated-disk.ts";
import { createSimulatedMachine, type MachineWorld } from "../create-simulated-machine.ts";
import { createSimulatedPerson, type PersonWorld } from "../create-simulated-person.ts";
import { createId, type SimulatedProcess } from "../simulated-process.ts";
import type { SimulatedServer } from "../server/simulated-server.ts";
import { type ApprovalRules, codexHome, cwd, keyName } from "./load-configs.ts";

/** The parts of the world that outlive every process. */
export interface World extends MachineWorld, PersonWorld {
  readonly disk: SimulatedDisk;
  readonly server: SimulatedServer;
  readonly serverNotes: ServerNotes;
  readonly setDocument: (text: string | null) => void;
  /** Sets the approval rules of the running process. */
  readonly setRules: (rules: ApprovalRules) => void;
  /** Sets the action of `interrupt` from now on. */
  readonly onInterrupt: (interrupt: () => void) => void;
  /** A file was changed. */
  readonly onPatch: (path: string) => void;
  /** From now on nothing fails. */
  readonly heal: () => void;
}

/** A harness in a process of its own, as a program would open it. */
export async function bootHarness(
  process: SimulatedProcess,
  world: World,
  config: ResolvedConfig,
): Promise<{ readonly harness: Harness; readonly client: ResponsesClient }> {
  const { chance, secret, disk, server, serverNotes } = world;
  const { clock } = process;
  const random = (): number => chance.next();
  const client = createResponsesClient({
    provider: { id: config.provider.id, baseUrl: "http://simulated.invalid/v1", queryParams: {}, headers: {} },
    credential: { authorization: async () => ({ authorization: `Bearer ${secret}` }) },
    clock,
    random,
    userAgent: "simulation",
    connect: () => server.connect(process),
  });
  const harness = await openHarness({
    host: {
      env: { [keyName]: secret, XDG_STATE_HOME: "/dev/null" },
      cwd,
      homeDirectory: codexHome,
      platform: "linux",
      ownFolders: [],
      now: () => clock.now(),
      localDay: (at) => ({ date: new Date(at).toISOString().slice(0, 10), timeZone: "UTC" }),
      elapsed: () => clock.elapsed(),
      timers: clock,
      random,
      newId: () => createId(clock.now(), chance),
    },
    config,
    userAgent: "simulation",
    model: client,
    store: openThreadStoreOn(disk.filesFor(process), clock),
    serverNotes,
    executor: createSimulatedMachine(process, world),
    ignoreRules: true,
    person: createSimulatedPerson(process, world),
    priceOf: () => simulatedPrice,
  });
  return { harness, client };
}
