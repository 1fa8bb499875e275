import type { ReadLayers } from "../layer/read-layers.ts";
import type { ModelCatalogue } from "../models/model-info.ts";

/** What the parts of the configuration are resolved from. */
export interface ResolveContext extends ReadLayers {
  readonly catalogue: ModelCatalogue;
}
