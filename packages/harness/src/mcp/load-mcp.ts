import { HarnessError } from "../harness-error.ts";

/**
 * What speaks to MCP servers: an optional package, since its library brings ninety others. Throws `HarnessError`
 * `missing_package` where it is not installed.
 */
export async function loadMcp(): Promise<typeof import("@unroll/mcp")> {
  try {
    return await import("@unroll/mcp");
  } catch (error) {
    const { systemErrorCode } = await import("@unroll/text");
    if (systemErrorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    const message = "MCP servers need the package @unroll/mcp, which is not installed: npm install @unroll/mcp.";
    throw new HarnessError("missing_package", message, { cause: error });
  }
}

/** What of the harness itself is needed with it. */
export async function loadMcpContext(): Promise<
  Pick<typeof import("./mcp-variables.ts"), "createMcpVariables"> &
    Pick<typeof import("./open-mcp-tokens.ts"), "openMcpTokens">
> {
  const [{ createMcpVariables }, { openMcpTokens }] = await Promise.all([
    import("./mcp-variables.ts"),
    import("./open-mcp-tokens.ts"),
  ]);
  return { createMcpVariables, openMcpTokens };
}
