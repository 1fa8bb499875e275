export { createConfigJsonSchema, createModelFileSchema } from "./describe/create-json-schemas.ts";
export { runSetConfigKey, runUnsetConfigKey } from "./edit/run-config-key-edits.ts";
export { runAddMcpServer, runRemoveMcpServer } from "./edit/run-mcp-server-edits.ts";
export { runReplaceConfigText } from "./edit/run-replace-config-text.ts";
export { runExplainConfig } from "./explain/run-explain-config.ts";
export { runListConfigFiles } from "./explain/run-list-config-files.ts";
