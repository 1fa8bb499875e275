import { type ResolvedConfig, resolveCredential } from "@unroll/config";
import type { openLogin } from "@unroll/harness";
import { loginLimits } from "@unroll/program";
import { ThreadHostError } from "../thread-host-error.ts";
import type { ThreadHost } from "../open-thread-host.ts";
import { describeFault, type ShownLogin, showLogin } from "./show-login.ts";

/** Who requests are from. */
interface AccountFacts {
  /** Null: nobody, and where nobody has to log in nobody needs to be. */
  readonly account:
    | { readonly type: "key" }
    | { readonly type: "chatgpt"; readonly email: string | null; readonly plan: string | null }
    | null;
  /** Whether a login would be used. */
  readonly takesLogin: boolean;
}

/** What a person types on another machine, and where. */
interface ShownCode {
  readonly code: string;
  readonly url: string;
}

/** The login of this machine, for the provider of the config. */
export interface Account {
  read(): Promise<AccountFacts>;
  /** Throws `ThreadHostError` `not_logged_in`. */
  logInByKey(key: string, signal: AbortSignal): Promise<void>;
  /** Shows the address of a page; the login ends by itself after 15 minutes. */
  logInByBrowser(signal: AbortSignal): Promise<ShownLogin<string>>;
  /** Shows a code, to be typed on another machine. Ends as that by a browser. */
  logInByDevice(signal: AbortSignal): Promise<ShownLogin<ShownCode>>;
  logOut(signal: AbortSignal): Promise<void>;
}

/** Each of its calls goes by the config as it is then. */
export function openAccount({ host, loadConfig }: Pick<ThreadHost, "host" | "loadConfig">): Account {
  const open: (config?: ResolvedConfig) => ReturnType<typeof openLogin> = async (config) => {
    const harness = await import("@unroll/harness");
    return harness.openLogin(config ?? (await loadConfig(null)), host);
  };
  const within = (signal: AbortSignal, ms: number): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  return {
    async read() {
      const config = await loadConfig(null);
      const credential = resolveCredential(config.provider, host.env);
      if (credential.type === "bearer") return { account: { type: "key" }, takesLogin: false };
      if (credential.type !== "missing") return { account: null, takesLogin: false };
      const status = await (await open(config)).status();
      // without a key or a login the demo model stands in: nobody has to log in first
      if (status === null) return { account: null, takesLogin: false };
      const { email, plan } = status;
      const account = status.type === "key" ? ({ type: "key" } as const) : ({ type: "chatgpt", email, plan } as const);
      return { account, takesLogin: credential.takesLogin };
    },
    async logInByKey(key, signal) {
      const fault = describeFault(await (await open()).logInByKey(key, signal));
      if (fault !== null) throw new ThreadHostError("not_logged_in", fault);
    },
    async logInByBrowser(signal) {
      const auth = await open();
      return showLogin((openPage) => auth.logInByBrowser({ openPage, signal: within(signal, loginLimits.patienceMs) }));
    },
    async logInByDevice(signal) {
      const auth = await open();
      return showLogin((showCode) => auth.logInByDevice({ showCode, signal: within(signal, loginLimits.patienceMs) }));
    },
    async logOut(signal) {
      await (await open()).logOut(within(signal, loginLimits.revocationMs));
    },
  };
}
