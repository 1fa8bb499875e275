import type { ResolvedConfig } from "@unroll/config";
import type { CallGate, ThreadChange } from "@unroll/harness";
import type { UserInput } from "@unroll/protocol";
import { createPlanGate, planInstructions } from "@unroll/use-cases/plan";

interface PlannedThread {
  readonly config: Pick<ResolvedConfig, "sandboxSettings" | "approvalPolicy" | "approvalQuestions">;
  change(change: ThreadChange): Promise<void>;
}

/** Plan mode of one thread; off at first. It outlasts the thread's sleep. */
export class PlanMode {
  #isOn = false;
  /** The settings that plan mode replaced; null while it is off. */
  #before: ThreadChange | null = null;

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Settings that hold again when plan mode ends; empty while it is off. */
  get before(): ThreadChange {
    return this.#before ?? {};
  }

  /** Around the gate of the thread. */
  gate(own: CallGate): CallGate {
    return createPlanGate(own, () => this.#isOn);
  }

  /** The input, and while plan mode is on how the model must answer it. */
  addTo(input: UserInput): UserInput {
    if (!this.#isOn) return input;
    const parts = typeof input === "string" ? [{ type: "text", text: input } as const] : input;
    return [...parts, { type: "text", text: planInstructions, isAdded: true }];
  }

  /** As of `HostedThread.setPlanMode`. Where the change fails, the mode stays as it was. */
  async set(isOn: boolean, change: ThreadChange, thread: PlannedThread): Promise<void> {
    if (isOn === this.#isOn) return thread.change(change);
    if (!isOn) {
      await thread.change({ ...this.#before, ...change });
      this.#isOn = false;
      this.#before = null;
      return;
    }
    const { sandboxSettings, approvalPolicy, approvalQuestions } = thread.config;
    const readOnly = { ...sandboxSettings, ...change.sandboxSettings, mode: "read-only" as const };
    this.#before = { sandboxSettings, approvalPolicy, approvalQuestions };
    this.#isOn = true; // before the settings: a call may be judged while they change
    try {
      await thread.change({ ...change, sandboxSettings: readOnly });
    } catch (error) {
      this.#isOn = false;
      this.#before = null;
      throw error;
    }
  }
}
