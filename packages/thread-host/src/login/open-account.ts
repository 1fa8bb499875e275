import { logIn, logOut, type LoginPlace, readCredential, type ShownCode } from "@unroll/use-cases/login";
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
  const openPlace = async (signal: AbortSignal): Promise<LoginPlace> => ({
    config: await loadConfig(null),
    host,
    signal,
  });
  return {
    async read() {
      const { credential, status } = await readCredential(await loadConfig(null), host);
      if (credential.type === "bearer") return { account: { type: "key" }, takesLogin: false };
      // without a key or a login the demo model stands in: nobody has to log in first
      if (credential.type !== "missing" || status === null) return { account: null, takesLogin: false };
      const { email, plan } = status;
      const account = status.type === "key" ? ({ type: "key" } as const) : ({ type: "chatgpt", email, plan } as const);
      return { account, takesLogin: credential.takesLogin };
    },
    async logInByKey(key, signal) {
      const fault = describeFault(await logIn(await openPlace(signal), { type: "key", readKey: async () => key }));
      if (fault !== null) throw new ThreadHostError("not_logged_in", fault);
    },
    async logInByBrowser(signal) {
      const place = await openPlace(signal);
      return showLogin((openPage) => logIn(place, { type: "browser", openPage }));
    },
    async logInByDevice(signal) {
      const place = await openPlace(signal);
      return showLogin((showCode) => logIn(place, { type: "code", showCode }));
    },
    async logOut(signal) {
      await logOut(await openPlace(signal));
    },
  };
}
