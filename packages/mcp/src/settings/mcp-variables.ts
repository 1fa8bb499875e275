import type { Programs } from "@unroll/process-tree";
import type { McpStdioServerConfig, SecretText } from "@unroll/protocol";

/** What the settings of servers name and do not hold. Asked whenever a pool or a login opens. */
export interface McpVariables {
  /**
   * Where its program is found, and what that gets of the harness's environment: what any needs (PATH, HOME…) and what its
   * `envVars` name.
   */
  programs(server: McpStdioServerConfig): Programs;
  /** A variable that holds a credential of a server's own, for its headers; null where it is unset or blank. */
  credential(name: string): SecretText | null;
}
