import { agentKeys } from "./agent-keys.ts";
import { budgetKeys } from "./budget-keys.ts";
import { commandKeys } from "./command-keys.ts";
import type { KeySection } from "./key-declaration.ts";
import { loginKeys } from "./login-keys.ts";
import { serverKeys } from "./mcp-server-keys.ts";
import { modelKeys } from "./model-keys.ts";
import { modelTableKeys } from "./model-table-keys.ts";
import { permissionKeys } from "./permission-keys.ts";
import { otherKeys, terminalKeys, threadKeys } from "./program-keys.ts";
import { instructionKeys, skillKeys } from "./project-keys.ts";
import { providerKeys } from "./provider-keys.ts";
import { toolKeys } from "./tool-keys.ts";

/** Every key of `config.toml`, in the order of the page. */
export const keySections: readonly KeySection[] = [
  modelKeys,
  modelTableKeys,
  providerKeys,
  loginKeys,
  commandKeys,
  permissionKeys,
  toolKeys,
  serverKeys,
  instructionKeys,
  skillKeys,
  budgetKeys,
  agentKeys,
  threadKeys,
  terminalKeys,
  otherKeys,
];

/** The declarations of all keys at the top, by dotted name. */
export type TopKeys = typeof modelKeys.keys &
  typeof loginKeys.keys &
  typeof commandKeys.keys &
  typeof toolKeys.keys &
  typeof instructionKeys.keys &
  typeof skillKeys.keys &
  typeof budgetKeys.keys &
  typeof agentKeys.keys &
  typeof threadKeys.keys &
  typeof terminalKeys.keys &
  typeof otherKeys.keys;

/** The declarations of `[model_providers.ID]`. */
export type ProviderKeys = typeof providerKeys.keys;

/** The declarations of `[mcp_servers.ID]`. */
export type ServerKeys = typeof serverKeys.keys;

/** The declarations of `[permissions.NAME]`. */
export type PermissionKeys = typeof permissionKeys.keys;

/** The declarations of `[models.NAME]`. */
export type ModelKeys = typeof modelTableKeys.keys;
