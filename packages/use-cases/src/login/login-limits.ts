/** How long a login and its end may take, in ms. */
export const loginLimits: Readonly<Record<"patienceMs" | "mcpPatienceMs" | "revocationMs", number>> = {
  /** The user, on the pages of the login server. */
  patienceMs: 15 * 60 * 1000,
  /** The user, on the pages of the authorization server of an MCP server. */
  mcpPatienceMs: 10 * 60 * 1000,
  /** A server that is asked to revoke a login. */
  revocationMs: 10_000,
};
