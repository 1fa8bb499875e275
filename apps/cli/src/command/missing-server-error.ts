import { ConfigError } from "@unroll/config";
import { explainMissingServer, type MissingServer } from "@unroll/report";

/** Ends a subcommand with exit code 2. */
export function toMissingServerError(missing: MissingServer): ConfigError {
  return new ConfigError({ code: "mcp_server_invalid", message: explainMissingServer(missing) });
}
