export { createConfigJsonSchema, createModelFileSchema } from "./describe/create-json-schemas.ts";
export {
  addMcpServer,
  editConfigKeys,
  removeMcpServer,
  replaceConfigText,
  setConfigKey,
  unsetConfigKey,
} from "./edit/config-edits.ts";
export { explainConfig, listConfigFiles } from "./explain-config.ts";

export type { ConfigKeyEdit } from "./edit/config-edits.ts";
export type { ConfigExplanation, ConfigFile, ExplainedKey } from "./explain-config.ts";
