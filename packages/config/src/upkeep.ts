export { createConfigJsonSchema, createModelFileSchema } from "./describe/create-json-schemas.ts";
export {
  runAddMcpServer,
  runRemoveMcpServer,
  runReplaceConfigText,
  runSetConfigKey,
  runUnsetConfigKey,
} from "./edit/config-edits.ts";
export { runExplainConfig, runListConfigFiles } from "./explain-config.ts";
