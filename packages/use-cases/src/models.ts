export { readKnownModels } from "./models/known-models.ts";
export { listOfferedModels } from "./models/offered-models.ts";
export { loadOtherModel, withProvider } from "./models/other-model.ts";
export { loadThreadModel } from "./models/thread-model.ts";
export { fetchModels, refreshModels } from "./models/refresh-models.ts";

export type { KnownModels } from "./models/known-models.ts";
export type { OfferedModel } from "./models/offered-models.ts";
export type { RefreshedModels } from "./models/refresh-models.ts";
