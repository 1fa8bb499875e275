import type { ModelFamily, ModelPrice, ReasoningContext, ReasoningEffort, Verbosity } from "@unroll/protocol";
import type { ModelTable } from "../keys/config-table.ts";

/**
 * The sources of facts about models, lowest first: a later one wins, key by key. `provider`: a list
 * that the provider returned.
 */
type ModelOrigin = "built_in" | "provider" | "file" | "config";

/** The facts of one source, by model name. */
export interface ModelLayer {
  readonly origin: ModelOrigin;
  /** The provider that returned the list; null: the layer holds for all providers. */
  readonly providerId: string | null;
  readonly tables: Readonly<Record<string, ModelTable>>;
}

/** Everything known about models, lowest layer first. */
export type ModelCatalogue = readonly ModelLayer[];

/** The facts about one model; null: not known. */
export interface ModelInfo {
  /** The name as the catalogue writes it. */
  readonly name: string;
  /** The sources that say something about it. */
  readonly origins: readonly ModelOrigin[];
  /** The provider whose price it is; null: any provider's. */
  readonly provider: string | null;
  /** The family's facts, with those of the model itself over them. */
  readonly family: ModelFamily;
  /** In tokens: the longest output. */
  readonly maxOutputTokens: number | null;
  /** The effort that the server uses when a request names none. */
  readonly defaultEffort: ReasoningEffort | null;
  /** The effort that we send when you set none; null: nothing is sent. */
  readonly sentEffort: ReasoningEffort | null;
  /** The verbosity that we send when you set none; null: nothing is sent. */
  readonly sentVerbosity: Verbosity | null;
  /** The reasoning context that we send when you set none; null: the model is not known to take one. */
  readonly sentReasoningContext: ReasoningContext | null;
  /** In tokens; 0: never; null: a share of the context window. */
  readonly compactionLimit: number | null;
  /** As written in the layer that sets it. */
  readonly instructionsFile: string | null;
  readonly price: ModelPrice | null;
  /** The day on which its provider shuts it down, as `YYYY-MM-DD`; null: no known day. */
  readonly shutdownDate: string | null;
  readonly isHidden: boolean;
}
