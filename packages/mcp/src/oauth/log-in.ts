import { checkShape } from "@unroll/text";
import type { McpLoginOptions, McpLoginOutcome } from "./login-options.ts";

const shape = {
  "server.id": "text",
  "variables.credential": "a function",
  "tokens.write": "a function",
  clientName: "text",
  openPage: "a function",
  createState: "a function",
  signal: "an object",
} as const;

/**
 * Logs in to a server by OAuth 2.1: finds its authorization server, registers as a client, sends
 * the user to its page (PKCE) and waits on a loopback port for the code. A host that only the
 * server names is contacted over https at a public address, or not at all. Leaves nothing running.
 * Expected failures are outcomes.
 */
export async function logInToMcpServer(options: McpLoginOptions): Promise<McpLoginOutcome> {
  checkShape("logInToMcpServer", options, shape);
  const { runLogin } = await import("./run-login.ts");
  return runLogin(options);
}
