import type { ReadLayers } from "../layer/read-layers.ts";

/** What the parts of the configuration are resolved from. */
export type ResolveContext = Omit<ReadLayers, "layers">;
