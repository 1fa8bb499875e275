/** How long a login and its end may take, in ms. */
export const loginLimits: {
  readonly patienceMs: number;
  readonly mcpPatienceMs: number;
  readonly revocationMs: number;
} = {
  /** A person, on the pages of the server. */
  patienceMs: 15 * 60 * 1000,
  /** A person, on the pages of the authorization server of an MCP server. */
  mcpPatienceMs: 10 * 60 * 1000,
  /** A server that is told that a login is over. */
  revocationMs: 10_000,
};
