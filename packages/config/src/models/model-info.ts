import type { ModelFamily, ModelPrice, ReasoningContext, ReasoningEffort, Verbosity } from "@unroll/protocol";
import type { ModelTable } from "../keys/config-table.ts";

/** Who says something of models, lowest first: a later one wins, key by key. `provider`: a list that was asked for once. */
type ModelOrigin = "built_in" | "provider" | "file" | "config";

/** What one of them says, by the model's name. */
export interface ModelLayer {
  readonly origin: ModelOrigin;
  /** The provider that was asked; null: it counts for all. */
  readonly providerId: string | null;
  readonly tables: Readonly<Record<string, ModelTable>>;
}

/** All that is known of models, lowest first. */
export type ModelCatalogue = readonly ModelLayer[];

/** What is known of one model; null: not known. */
export interface ModelInfo {
  /** As the catalogue writes it. */
  readonly name: string;
  /** Who says something of it. */
  readonly origins: readonly ModelOrigin[];
  /** Whose model it is, for its price; null: any provider's. */
  readonly provider: string | null;
  /** With what is known of the model itself in it. */
  readonly family: ModelFamily;
  /** In tokens: the longest answer. */
  readonly maxOutputTokens: number | null;
  /** The server's own, when a request names none. */
  readonly defaultEffort: ReasoningEffort | null;
  /** What we send when the user sets no effort; null: nothing. */
  readonly sentEffort: ReasoningEffort | null;
  /** The same for verbosity. */
  readonly sentVerbosity: Verbosity | null;
  /** The same for the context of its reasoning; null: it is not known to take one. */
  readonly sentReasoningContext: ReasoningContext | null;
  /** In tokens, 0: never; null: a share of the context window. */
  readonly compactionLimit: number | null;
  /** As written, of the layer that says it. */
  readonly instructionsFile: string | null;
  readonly price: ModelPrice | null;
  /** The day on which its provider ends it, as `YYYY-MM-DD`; null: none is known. */
  readonly shutdownDate: string | null;
  readonly isHidden: boolean;
}
