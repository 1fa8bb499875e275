import type { Programs } from "@unroll/process-tree";
import type { McpStdioServerConfig, SecretText } from "@unroll/protocol";

/**
 * Looks up what the settings of servers name. Called when a pool or a login opens. `openPrograms`
 * of `@unroll/process-tree` returns `Programs`.
 */
export interface McpVariables {
  /**
   * Where the server's program is found, and its environment: the variables that every program
   * needs (PATH, HOME), and those that its `envVars` name.
   */
  programs(server: McpStdioServerConfig): Programs;
  /** A variable with a credential of a server, for its headers; null: unset or blank. */
  credential(name: string): SecretText | null;
}
