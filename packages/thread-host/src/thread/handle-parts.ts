import type { ResolvedConfig } from "@unroll/config";
import type { Clock } from "@unroll/flow";
import type { ProgramModel } from "@unroll/program";
import type { JournalEntry, StoredThread } from "@unroll/protocol";
import type { SettledSettings } from "../settings/requested-settings.ts";
import type { ForkRequest, HostedOpening, HostedThread, RequestedModel } from "./hosted-thread.ts";
import type { PlanMode } from "./plan-mode.ts";
import type { ShownItems } from "./shown-items.ts";
import type { AwakeThread, ThreadAccessParts } from "./thread-access.ts";
import type { ThreadClient } from "./thread-client.ts";

/** The registry that holds the handles. */
export interface HandleRegistry {
  /** The thread is used. */
  onUse(threadId: string): void;
  /** A thread may be idle now. */
  onRest(): void;
}

/** The parts of a handle. */
export interface HandleParts<Client extends ThreadClient> extends Pick<ThreadAccessParts, "first" | "wake"> {
  /** Lives as long as the thread uses it. */
  readonly model: ProgramModel;
  /** Opens an unsaved copy for a side question. */
  readonly openAside: (current: ResolvedConfig, entries: readonly JournalEntry[]) => Promise<AwakeThread>;
  readonly openModel: (requested: RequestedModel | SettledSettings, now: ResolvedConfig) => Promise<ProgramModel>;
  readonly fork: (thread: HostedThread<Client>, request: ForkRequest<Client>) => Promise<HostedOpening<Client>>;
  /** Null: nothing is stored, as no turn ran yet. */
  readonly loadStored: () => Promise<StoredThread | null>;
  readonly readEntries: HostedThread<Client>["entries"];
  readonly registry: HandleRegistry;
  readonly client: Client;
  readonly plan: PlanMode;
  readonly isEphemeral: boolean;
  /** Whether a turn ran in it, so that it can be opened again. */
  readonly isStored: boolean;
  readonly forkedFrom: string | null;
  readonly origin: HostedThread<Client>["origin"];
  readonly preview: string;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly clock: Pick<Clock, "now">;
  readonly newId: () => string;
  readonly shown: ShownItems;
}
