export { findServer, findServers } from "./mcp/find-servers.ts";
export { listServers, measureServer } from "./mcp/list-servers.ts";
export { logInToServer, logOutOfServer } from "./mcp/log-in-to-server.ts";
export { startServers } from "./mcp/start-servers.ts";

export type { ListedServer } from "./mcp/list-servers.ts";
