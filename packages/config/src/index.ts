export { findHostFault } from "./check/find-host-fault.ts";
export { resolveCodexHome, toMcpTokenFolder } from "./codex-home.ts";
export { ConfigError, isOwnArgument, isServerArgument } from "./config-error.ts";
export { findProject } from "./layer/project-layer.ts";
export { readRegularFile } from "./layer/read-config-file.ts";
export { listProjectFolders } from "./layer/list-project-folders.ts";
export { builtInCatalogue } from "./models/built-in-catalogue.ts";
export {
  describeModelSettings,
  describeNoReasoning,
  describeShutdown,
  isModelNamed,
} from "./resolve/describe-model-settings.ts";
export { explainUnsupportedEffort, listEfforts, renderEfforts } from "./models/efforts.ts";
export { findSmallModel } from "./models/find-small-model.ts";
export { findModel, findModelPrice, listModels } from "./models/find-model.ts";
export { applyChange } from "./resolve/apply-change.ts";
export { findPermissions, listPermissionProfiles } from "./resolve/find-permissions.ts";
export { restrictConfig, withServedWindow } from "./resolve/restrict-config.ts";
export { readListedWindow, readProviderList, saveProviderList } from "./catalogue/provider-list.ts";
export { openServerNotes } from "./catalogue/server-notes.ts";
export { findBuiltInProvider } from "./providers/built-in-providers.ts";
export { type ConfigKey, listConfigKeys } from "./keys/config-schema.ts";
export { parseKey } from "./layer/parse-key.ts";
export { loadConfig } from "./load-config.ts";
export { resolveCredential, resolveRequestParts } from "./providers/resolve-credential.ts";
export { listNamedSecrets, listSecretValues } from "./resolve/collect-secrets.ts";

export type { ThreadChange } from "./resolve/apply-change.ts";
export type { ConfigOverride, ConfigSources, KeyOption } from "./config-sources.ts";
export type { ModelInfo } from "./models/model-info.ts";
export type { ProviderCredential } from "./providers/resolve-credential.ts";
export type { ProviderConfig } from "./providers/provider-config.ts";
export type { RefusedMember, RefusedParts, ServedModel, ServerNote, ServerNotes } from "./catalogue/server-notes.ts";
export type { LocalProviderId, McpServerTable } from "./keys/config-table.ts";
export type { BudgetSettings, CompactionSettings, ResolvedConfig } from "./resolved-config.ts";
