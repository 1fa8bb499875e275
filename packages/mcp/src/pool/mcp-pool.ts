import type { Clock } from "@unroll/flow";
import type { McpServerConfig } from "@unroll/protocol";
import type { McpConnect } from "../client/mcp-connect.ts";
import type { ProxyEnv } from "../oauth/open-fetch.ts";
import type { McpTokenStore } from "../oauth/token-store.ts";
import type { McpGraces } from "../server/server-context.ts";
import type { McpVariables } from "../settings/mcp-variables.ts";
import type { McpJoinOptions, McpView } from "../view/mcp-view.ts";

/** `sleep` absent: by the system's timers. */
export interface McpPoolOptions extends Pick<Clock, "elapsed">, Partial<Pick<Clock, "sleep">> {
  readonly servers: readonly McpServerConfig[];
  readonly variables: McpVariables;
  /** Where programs run that have no folder of their own; absolute. */
  readonly cwd: string;
  /** Who connects, as servers see it. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Folders that servers are told to work in; absolute. */
  readonly roots: readonly string[];
  /** Gets `<server>.log`, what each server writes to stderr: at most 2 MiB a server, readable by its owner only. Absolute. */
  readonly logDirectory: string;
  /** Masks credentials in what servers write to stderr. Absent: only a server's own are masked. */
  readonly mask?: (text: string) => string;
  readonly tokens: McpTokenStore;
  /** `https_proxy`, `http_proxy` and `no_proxy` are read from it. Absent: no proxy. */
  readonly proxyEnv?: ProxyEnv | undefined;
  /** How large one answer may be, in bytes. Absent: 10 MiB. */
  readonly maxMessageBytes?: number;
  /** Absent, each: 300 ms of quiet, 700 from SIGTERM to SIGKILL, 1,000 after that; 200 for output, 500 for a goodbye. */
  readonly graces?: Partial<McpGraces>;
  /** Makes an id that was never made before, of letters, digits and `-`; it begins the `UNROLL_PROCESS_ID` of each program. */
  readonly newId: () => string;
  /** How servers are reached. Absent: by their programs and addresses. */
  readonly connect?: McpConnect | undefined;
}

/** The MCP servers that threads share. Disposing of it ends all that it started; calls that run then fail. */
export interface McpPool extends AsyncDisposable {
  /** The view of one thread. A new one for each; see `McpView.close`. */
  join(options: McpJoinOptions): McpView;
}
