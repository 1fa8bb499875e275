import type { ResolvedConfig } from "@unroll/config";
import type { CallGate, Thread, ThreadChange } from "@unroll/harness";
import type { UserInput } from "@unroll/protocol";
import { createPlanGate, readPlanMode, savePlanMode, toPlanInput } from "@unroll/use-cases/plan";

interface PlannedThread {
  readonly config: ResolvedConfig;
  change(change: ThreadChange): Promise<void>;
  /** Saves with the thread. */
  note(write: (notes: Thread["notes"]) => void): Promise<void>;
}

/** Plan mode of one thread; off at first. It outlasts the thread's sleep. */
export class PlanMode {
  /** The settings that plan mode replaced; null while it is off. */
  #before: ThreadChange | null = null;

  get isOn(): boolean {
    return this.#before !== null;
  }

  /** Settings that hold again when plan mode ends; empty while it is off. */
  get before(): ThreadChange {
    return this.#before ?? {};
  }

  /** Around the gate of the thread. */
  gate(own: CallGate): CallGate {
    return createPlanGate(own, () => this.isOn);
  }

  /** The input, and while plan mode is on how the model must answer it. */
  addTo(input: UserInput): UserInput {
    return this.isOn ? toPlanInput(input) : input;
  }

  /** Plan mode as it was saved with a thread that has just been opened. */
  resume(thread: Thread): void {
    this.#before = readPlanMode(thread);
    if (this.#before === null) savePlanMode(thread.notes, null);
    else thread.change({ sandboxMode: "read-only" }); // a process may have been killed between the two
  }

  /** The part of a change that holds at once. While plan mode is on, the sandbox and approvals wait for its end. */
  withhold(change: ThreadChange, { config, notes }: Pick<Thread, "config" | "notes">): ThreadChange {
    const before = this.#before;
    if (before === null) return change;
    const { sandboxSettings, permissionProfile = null, approvalPolicy, approvalQuestions, ...now } = change;
    if (!sandboxSettings && !approvalPolicy && !approvalQuestions) return now;
    const own = {
      sandboxSettings: sandboxSettings ?? before.sandboxSettings ?? config.sandboxSettings,
      permissionProfile: sandboxSettings === undefined ? (before.permissionProfile ?? null) : permissionProfile,
      approvalPolicy: approvalPolicy ?? before.approvalPolicy ?? config.approvalPolicy,
      approvalQuestions: approvalPolicy === undefined ? (before.approvalQuestions ?? null) : null,
      ...(approvalQuestions !== undefined && { approvalQuestions }),
    };
    this.#before = own;
    savePlanMode(notes, own);
    return now;
  }

  /** Turns it on or off, as of `HostedThread.setPlanMode`. Where the change fails, the mode stays as it was. */
  async toggle(change: ThreadChange, thread: PlannedThread): Promise<void> {
    const before = this.#before;
    if (before !== null) {
      const isOther = change.sandboxSettings !== undefined;
      await thread.change({ ...before, ...(isOther && { permissionProfile: null }), ...change });
      this.#before = null;
      return thread.note((notes) => savePlanMode(notes, null));
    }
    const { sandboxSettings, permissionProfile, approvalPolicy, approvalQuestions } = thread.config;
    const readOnly = { ...sandboxSettings, ...change.sandboxSettings, mode: "read-only" as const };
    const replaced = { sandboxSettings, permissionProfile, approvalPolicy, approvalQuestions };
    this.#before = replaced; // before the settings: a call may be judged while they change
    try {
      await thread.note((notes) => savePlanMode(notes, replaced));
      await thread.change({ ...change, sandboxSettings: readOnly });
    } catch (error) {
      this.#before = null;
      await thread.note((notes) => savePlanMode(notes, null));
      throw error;
    }
  }
}
