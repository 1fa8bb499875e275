import type { Approvals } from "@unroll/approval";
import type { ResolvedConfig } from "@unroll/config";
import type { Person } from "@unroll/protocol";
import type { CallGate } from "@unroll/tools";

/** What a thread may, as far as those that it opens may no more: read at each use, as it changes. */
export interface ThreadBounds {
  readonly settings: BoundingSettings;
  /** Puts what stands around the gate of the thread around another one. */
  readonly wrapGate: (gate: CallGate) => CallGate;
}

/** Another `config` and other `approvals` are there as soon as something of them is another. */
export interface BoundingSettings {
  readonly config: ResolvedConfig;
  readonly approvals: Approvals;
  /** Null: there is nobody to ask. */
  readonly person: Person | null;
}
