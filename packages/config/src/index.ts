export {
  addMcpServer,
  explainConfig,
  listConfigFiles,
  loadConfigJsonSchema,
  loadModelFileSchema,
  removeMcpServer,
  replaceConfigText,
  setConfigKey,
  unsetConfigKey,
} from "./config-upkeep.ts";
export { resolveCodexHome } from "./codex-home.ts";
export { ConfigError } from "./fault/config-error.ts";
export { findProject } from "./layer/find-project.ts";
export { readRegularFile } from "./layer/read-regular-file.ts";
export { builtInCatalogue } from "./models/built-in-catalogue.ts";
export { describeModelSettings, describeNoReasoning } from "./resolve/describe-model-settings.ts";
export { describeShutdown } from "./resolve/describe-shutdown.ts";
export { explainUnsupportedEffort } from "./models/explain-effort.ts";
export { findModel, listModels } from "./models/find-model.ts";
export { listEfforts, renderEfforts } from "./models/list-efforts.ts";
export { withServedWindow } from "./resolve/with-served-window.ts";
export { findModelPrice } from "./models/find-model-price.ts";
export { readListedWindow } from "./catalogue/listed-window.ts";
export { saveProviderList, readProviderList } from "./catalogue/provider-list.ts";
export { openServerNotes } from "./catalogue/server-notes.ts";
export { findBuiltInProvider } from "./providers/built-in-providers.ts";
export { isModelNamed } from "./resolve/is-model-named.ts";
export { type ConfigKey, listConfigKeys } from "./keys/list-config-keys.ts";
export { loadConfig } from "./load-config.ts";
export { restrictConfig } from "./resolve/restrict-config.ts";
export { resolveCredential } from "./providers/resolve-credential.ts";
export { resolveRequestParts } from "./providers/resolve-request-parts.ts";
export { toMcpTokenFolder } from "./resolve/mcp-token-folder.ts";
export { listNamedSecrets, listSecretValues } from "./resolve/collect-secrets.ts";

export type { ConfigOverride, ConfigSources, KeyOption } from "./config-sources.ts";
export type { ConfigExplanation, ExplainedKey } from "./explain/config-explanation.ts";
export type { ConfigFile } from "./explain/config-file.ts";
export type { ModelInfo } from "./models/model-info.ts";
export type { ProviderCredential } from "./providers/resolve-credential.ts";
export type { ProviderConfig } from "./providers/provider-config.ts";
export type { RefusedMember, RefusedParts, ServedModel, ServerNote, ServerNotes } from "./catalogue/server-notes.ts";
export type { LocalProviderId, McpServerTable } from "./keys/config-table.ts";
export type { BudgetSettings, CompactionSettings, ResolvedConfig } from "./resolved-config.ts";
