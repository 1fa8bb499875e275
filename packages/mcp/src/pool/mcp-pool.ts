import type { Clock } from "@unroll/flow";
import type { McpServerConfig } from "@unroll/protocol";
import type { McpConnect } from "../client/mcp-connect.ts";
import type { ProxyEnv } from "../oauth/open-fetch.ts";
import type { McpTokenStore } from "../oauth/token-store.ts";
import type { McpGraces } from "../server/server-context.ts";
import type { McpVariables } from "../settings/mcp-variables.ts";
import type { McpJoinOptions, McpView } from "../view/mcp-view.ts";

/** Options of a pool. `sleep` absent: Node's timers. */
export interface McpPoolOptions extends Pick<Clock, "elapsed">, Partial<Pick<Clock, "sleep">> {
  readonly servers: readonly McpServerConfig[];
  readonly variables: McpVariables;
  /** The folder of programs that have none of their own; absolute. */
  readonly cwd: string;
  /** The client's name and version, which servers see. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Working folders that servers get as their roots; absolute. */
  readonly roots: readonly string[];
  /**
   * Absolute path of the folder for `<server>.log`, which holds each server's stderr: at most 2 MiB
   * per server, readable by its owner only.
   */
  readonly logDirectory: string;
  /**
   * Masks credentials in what servers write to stderr. Absent: only a server's own credentials are
   * masked.
   */
  readonly mask?: (text: string) => string;
  readonly tokens: McpTokenStore;
  /** `https_proxy`, `http_proxy` and `no_proxy` are read from it. Absent: no proxy. */
  readonly proxyEnv?: ProxyEnv | undefined;
  /** In bytes: how large one response may be. Absent: 10 MiB. */
  readonly maxMessageBytes?: number;
  /**
   * Defaults, in ms: 300 before SIGTERM, 700 from SIGTERM to SIGKILL, 1,000 after that, 200 for
   * remaining output, 500 for a service's goodbye.
   */
  readonly graces?: Partial<McpGraces>;
  /**
   * Returns a new unique id of letters, digits and `-`; it begins the `UNROLL_PROCESS_ID` of each
   * program.
   */
  readonly newId: () => string;
  /** How servers are reached. Absent: by their programs and addresses. */
  readonly connect?: McpConnect | undefined;
}

/**
 * The MCP servers that threads share. Disposing it ends everything that it started; running calls
 * then fail.
 */
export interface McpPool extends AsyncDisposable {
  /** The view of one thread. Call it once per thread; see `McpView.close`. */
  join(options: McpJoinOptions): McpView;
}
