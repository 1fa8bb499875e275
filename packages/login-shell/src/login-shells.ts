import { noPathMemory, type PathMemory } from "@unroll/files";
import { type Clock, untilAborted } from "@unroll/flow";
import type { BackgroundCommandSpec } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import { type CaptureFolder, createCaptureFolder } from "./capture/capture-folder.ts";
import {
  type Capture,
  type CaptureTask,
  captureState,
  listProfiles,
  type StateFilter,
} from "./capture/capture-state.ts";
import { createKeptCaptures } from "./capture/kept-captures.ts";
import type { ShellRunner } from "./capture/shell-runner.ts";
import { type LoginStart, readLoginStart } from "./login-start.ts";
import { stampFiles } from "./profile/profile-stamp.ts";

/** Options of the captured login shells. */
export interface LoginShellsOptions extends Pick<Clock, "now" | "elapsed"> {
  /**
   * Absolute; of these shells alone, and beside it only others like it. Commands must be able to read in it and never to
   * write there. Made when it is first needed.
   */
  readonly folder: string;
  /** Gives a new unique id, such as a UUID. */
  readonly createId: () => string;
  /** For the profile, in ms; default 10,000. */
  readonly timeoutMs?: number;
  /** How many captures are kept, those that were used last; default 1,000. A file goes a minute after its capture. */
  readonly maxKept?: number;
}

/**
 * The context of commands: those with equal sandbox, environment and filter share the result of a
 * profile.
 */
export interface ShellContext {
  /** Runs the profile as it runs commands. */
  readonly runner: ShellRunner;
  /** All variables that commands get. */
  readonly environment: Readonly<Record<string, string>>;
  /** A text that identifies the sandbox of `confinement: "policy"`; null: there is none. */
  readonly walls: string | null;
  readonly filter: StateFilter;
  /** Tells the filter from all others. */
  readonly filterId: string;
  /** Remembers that a profile's files have not changed. Absent: they are looked at for each command. */
  readonly paths?: Pick<PathMemory, "look" | "forget">;
  /** Takes a sentence for a person; may get the same several times. */
  readonly warn: (message: string) => void;
}

/** Results of users' profiles, each run once. Disposing it removes the files. */
export interface LoginShells extends AsyncDisposable {
  /**
   * Returns the command to start. One of the form `bash -lc SCRIPT` loses its profile and starts in
   * the state that the profile gives a shell in the same folder, sandbox and environment; any other
   * comes back unchanged. The first of that form waits while the profile runs. If the profile's
   * result cannot be used, the command stays unchanged, and the user gets the reason.
   */
  enter<Spec extends BackgroundCommandSpec>(spec: Spec, surroundings: ShellContext, signal: AbortSignal): Promise<Spec>;
}

/** A command that waits for its starting state. */
interface Waiting {
  readonly key: string;
  readonly spec: BackgroundCommandSpec;
  readonly start: LoginStart;
  readonly surroundings: ShellContext;
}

/** In ms. */
const defaultTimeoutMs = 10_000;
const defaultMaxKept = 1_000;

/** Runs nothing before the first command that needs it. */
export function createLoginShells(options: LoginShellsOptions): LoginShells {
  const folder = createCaptureFolder(options.folder, options.now);
  const kept = createKeptCaptures(folder, {
    elapsed: () => options.elapsed(),
    maxKept: options.maxKept ?? defaultMaxKept,
  });
  const running = new Map<string, Promise<Capture>>();

  async function capture(waiting: Waiting, signal: AbortSignal): Promise<Capture> {
    const profiles = listProfiles({ ...waiting.start, environment: waiting.surroundings.environment });
    const stamp = stampFiles(profiles);
    const madeAt = options.elapsed();
    const { timeoutMs = defaultTimeoutMs } = options;
    const made = await captureIn(folder, waiting, { nonce: options.createId(), timeoutMs, signal });
    kept.drop(waiting.key);
    // The profile may have been read before, after or during the change.
    if (made.type === "open" || stampFiles(profiles) !== stamp) return made;
    const files = made.type === "captured" ? made.sources : profiles;
    await kept.keep(waiting.key, { capture: made, madeAt, files });
    return made;
  }

  function start(waiting: Waiting, signal: AbortSignal): Promise<Capture> {
    const promise = capture(waiting, signal).finally(() => running.delete(waiting.key));
    running.set(waiting.key, promise);
    return promise;
  }

  /** Null: the command is no longer wanted. */
  async function findCapture(waiting: Waiting, signal: AbortSignal): Promise<Capture | null> {
    const found = kept.find(waiting.key, waiting.surroundings.paths ?? noPathMemory);
    if (found !== null) return found;
    const others = running.get(waiting.key);
    if (others === undefined) return start(waiting, signal);
    const shared = await untilAborted(others, signal);
    // It ends with the command that it was started for.
    return shared?.type === "open" ? findCapture(waiting, signal) : shared;
  }

  return {
    async enter(spec, surroundings, signal) {
      const login = readLoginStart(spec, surroundings.environment);
      if (login === null || signal.aborted) return spec;
      const key = toKey(spec, login, surroundings);
      const found = await findCapture({ key, spec, start: login, surroundings }, signal);
      if (found?.type === "failed") surroundings.warn(explain(login, found.reason));
      if (found?.type !== "captured") return spec;
      const { argv, environment } = login.dialect.enter(login, found.file.path);
      return { ...spec, argv, environment: { ...spec.environment, ...environment } };
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** All that a profile can tell commands apart by. */
function toKey(spec: BackgroundCommandSpec, { program }: LoginStart, surroundings: ShellContext): string {
  const { walls, environment, filterId } = surroundings;
  const ownWalls = spec.confinement === "none" ? null : walls;
  const { cwd, terminal = null } = spec;
  return JSON.stringify([program, cwd, terminal, spec.environment ?? {}, ownWalls, environment, filterId]);
}

async function captureIn(
  folder: CaptureFolder,
  { spec, start, surroundings }: Waiting,
  { signal, ...settings }: Pick<CaptureTask, "nonce" | "timeoutMs"> & { readonly signal: AbortSignal },
): Promise<Capture> {
  const { environment, runner, filter, warn } = surroundings;
  try {
    const place = await folder.open();
    const task = { ...start, spec, environment, folder: place, runner, filter, warn, ...settings };
    const capture = await captureState(task, signal);
    if (capture.type !== "captured") await folder.remove(place);
    return capture;
  } catch (error) {
    return { type: "failed", reason: `its result could not be written (${describeThrown(error)})` };
  }
}

function explain({ program }: LoginStart, reason: string): string {
  return `Each command starts ${program} with your whole profile, which is slow. Its result cannot be reused: ${reason}.`;
}
