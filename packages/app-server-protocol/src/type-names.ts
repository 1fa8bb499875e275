/** A type of the protocol by its name, with the folder that it has in each of the two layouts; null: the root. */
export interface TypeName {
  readonly name: string;
  readonly typescript: Folder;
  readonly jsonSchema: Folder;
}

type Folder = "v1" | "v2" | null;

/** The start of the names of a method's types, for methods whose types are not called as the method is. */
const stems: Readonly<Record<string, string>> = {
  "account/login/cancel": "CancelLoginAccount",
  "account/login/start": "LoginAccount",
  "account/logout": "LogoutAccount",
  "account/rateLimits/read": "GetAccountRateLimits",
  "account/read": "GetAccount",
  "app/installed": "AppsInstalled",
  "app/list": "AppsList",
  "config/mcpServer/reload": "McpServerRefresh",
  "mcpServer/resource/read": "McpResourceRead",
  "mcpServer/startupStatus/updated": "McpServerStatusUpdated",
  "mcpServerStatus/list": "ListMcpServerStatus",
  "thread/name/set": "ThreadSetName",
};

/** Methods that the Codex CLI writes only with `--experimental`. */
const experimental = [
  "collaborationMode/",
  "fuzzyFileSearch/",
  "thread/backgroundTerminals/",
  "thread/settings/update",
];

/** Whether a method, or one of this beginning, is experimental in the protocol. */
export function isExperimental(method: string): boolean {
  return experimental.some((start) => method.startsWith(start));
}

/** The name of a type of a method, as the Codex CLI generates it: `thread/start` and `Params` make `ThreadStartParams`. */
export function toTypeName(method: string, suffix: "Params" | "Response" | "Notification"): TypeName {
  if (suffix === "Response" && /^config\/(value\/write|batchWrite)$/.test(method)) return inV2("ConfigWriteResponse");
  const parts = method.split(/[/_]/);
  const named = parts[0] === "item" && parts.length > 2 ? parts.slice(1) : parts;
  const name =
    (stems[method] ?? named.map((part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`).join("")) + suffix;
  if (method === "initialize") return { name, typescript: null, jsonSchema: "v1" };
  if (method.startsWith("fuzzyFileSearch")) return inRoot(name);
  const asksClients = /^item\/\w+\/request|^mcpServer\/elicitation\/request$/.test(method);
  return asksClients ? { name, typescript: "v2", jsonSchema: null } : inV2(name);
}

/** A type of the current protocol. */
export function inV2(name: string): TypeName {
  return { name, typescript: "v2", jsonSchema: "v2" };
}

/** A type of all versions. */
export function inRoot(name: string): TypeName {
  return { name, typescript: null, jsonSchema: null };
}
