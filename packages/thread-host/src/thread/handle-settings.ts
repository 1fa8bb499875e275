import type { Thread, ThreadChange } from "@unroll/harness";
import type { ProgramModel } from "@unroll/program";
import { checkEffort } from "../settings/check-effort.ts";
import type { SettledSettings } from "../settings/requested-settings.ts";
import type { HandleParts } from "./handle-parts.ts";
import type { HostedSettings, RequestedModel } from "./hosted-thread.ts";
import type { PlanMode } from "./plan-mode.ts";
import type { ThreadClient } from "./thread-client.ts";

type SettingsParts = Pick<HandleParts<ThreadClient>, "model" | "plan" | "openModel">;

/** Changes the settings of a hosted thread, and holds its model. */
export class HandleSettings implements AsyncDisposable {
  readonly #plan: PlanMode;
  readonly #openModel: SettingsParts["openModel"];
  #model: ProgramModel;

  constructor({ model, plan, openModel }: SettingsParts) {
    this.#plan = plan;
    this.#openModel = openModel;
    this.#model = model;
  }

  /** The model comes first: nothing has changed if it is refused. */
  async configure(
    thread: Thread,
    { model = null, change = {}, isPlanning }: HostedSettings,
    signal: AbortSignal,
  ): Promise<void> {
    if (model !== null) await this.switchModel(thread, model, { signal, change });
    else checkEffort(change, thread.config);
    if ((isPlanning ?? this.#plan.isOn) === this.#plan.isOn) return this.apply(thread, change);
    const planned = {
      config: thread.config,
      change: async (settings: ThreadChange) => void thread.change(settings),
      note: async (write: (notes: Thread["notes"]) => void) => write(thread.notes),
    };
    if (this.#plan.isOn) return this.#plan.toggle(change, planned); // in one step, so that nothing is wider in between
    await this.#plan.toggle({}, planned);
    this.apply(thread, change);
  }

  /** The sandbox and approvals wait while plan mode is on. */
  apply(thread: Thread, change: ThreadChange): void {
    const now = this.#plan.withhold(change, thread);
    if (Object.keys(now).length > 0) thread.change(now);
  }

  /** `change`: what is to hold with the model. */
  async switchModel(
    thread: Thread,
    requested: RequestedModel | SettledSettings,
    { signal, change = {} }: { readonly signal: AbortSignal; readonly change?: ThreadChange },
  ): Promise<void> {
    const next = await this.#openModel(requested, thread.config);
    try {
      checkEffort(change, next.config);
      // to name another model is to agree to its cost
      await thread.chooseModel(next.config, { allowCacheBreak: !("settled" in requested), signal });
    } catch (error) {
      await next[Symbol.asyncDispose]();
      throw error;
    }
    const before = this.#model;
    this.#model = next;
    await before[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#model[Symbol.asyncDispose]();
  }
}
