import { type AuthMethod, RequestError } from "@agentclientprotocol/sdk/unstable";
import type { ResolvedConfig } from "@unroll/config";
import type { ThreadHost } from "@unroll/thread-host";
import { needsDemoModel } from "@unroll/program";
import { explainLoginFault } from "@unroll/report";
import { logIn, logOut, readCredential } from "@unroll/use-cases/login";
import { toAuthRequired } from "../map/to-request-error.ts";
import type { ClientOffers } from "../tell/client-offers.ts";

/** Logins, as the protocol has them. */
export interface Login {
  /** The methods that fit the config; none if no login is needed. */
  listMethods(offers: Pick<ClientOffers, "terminalLogin">): Promise<AuthMethod[]>;
  /** Throws `RequestError` if the login fails. */
  logIn(methodId: string, signal: AbortSignal): Promise<void>;
  logOut(signal: AbortSignal): Promise<void>;
  /** Throws `RequestError` if there is no key, no login, and the demo was not chosen. */
  check(cwd: string): Promise<void>;
}

export interface LoginParts {
  readonly threadHost: Pick<ThreadHost, "host" | "loadConfig">;
  /** Returns false if there is no browser. */
  readonly openPage: (url: string) => Promise<boolean>;
}

export function createLogin(parts: LoginParts): Login {
  const { host, loadConfig } = parts.threadHost;
  let isDemoChosen = false;
  return {
    async listMethods(offers) {
      const config = await loadConfig(null).catch(() => null); // a session that opens reports its errors
      return config === null ? [] : listMethods(config, offers);
    },
    async logIn(methodId, signal) {
      const config = await loadConfig(null);
      if (methodId === "demo") isDemoChosen = true;
      else if (methodId === "api-key") await checkKey(config, parts);
      else if (methodId === "chatgpt") await logInByBrowser(config, parts, signal);
      else throw RequestError.invalidParams({ methodId }, `methodId: ${methodId} is not a way to log in.`);
    },
    async logOut(signal) {
      isDemoChosen = false;
      await logOut({ config: await loadConfig(null), host, signal });
    },
    async check(cwd) {
      if (isDemoChosen || !(await needsDemoModel(await loadConfig(cwd), host))) return;
      throw refuse("There is no API key and no login: choose a way to log in, or run `unroll login` in a terminal.");
    },
  };
}

function refuse(message: string): RequestError {
  return toAuthRequired({ code: "missing_credential", message });
}

function listMethods({ provider, login }: ResolvedConfig, offers: Pick<ClientOffers, "terminalLogin">): AuthMethod[] {
  const envName = provider.envKeys[0];
  if (envName === undefined) return [];
  const takesLogin = provider.requiresOpenaiAuth;
  const kept = takesLogin ? ", or the key that `unroll login --with-api-key` stored" : "";
  const description = `Uses $${envName} of the agent's environment${kept}.`;
  return [
    ...(login.method === "chatgpt" ? [] : [{ id: "api-key", name: "API key", description }]),
    ...(takesLogin && login.method !== "api" ? listLogins(offers) : []),
    { id: "demo", name: "Try the demo", description: "A script answers, not a language model." },
  ];
}

function listLogins({ terminalLogin }: Pick<ClientOffers, "terminalLogin">): AuthMethod[] {
  const description = "Opens the login page in your browser.";
  const inBrowser = { id: "chatgpt", name: "Log in with ChatGPT", description };
  return terminalLogin ? [inBrowser, inTerminal] : [inBrowser];
}

const inTerminal: AuthMethod = {
  type: "terminal",
  id: "terminal",
  name: "Log in in a terminal",
  description: "Runs `unroll login` in a terminal that you see.",
  args: ["login"],
};

async function checkKey(config: ResolvedConfig, { threadHost: { host } }: LoginParts): Promise<void> {
  const { credential, status } = await readCredential(config, host);
  if (credential.type !== "missing" || status?.type === "key") return;
  const { envName, takesLogin } = credential;
  const other = takesLogin ? ", or store a key with `unroll login --with-api-key`" : "";
  throw refuse(`$${envName} is not set: set it in the environment that the editor starts the agent with${other}.`);
}

async function logInByBrowser(config: ResolvedConfig, parts: LoginParts, signal: AbortSignal): Promise<void> {
  const unseen = new AbortController();
  const place = { config, host: parts.threadHost.host, signal: AbortSignal.any([signal, unseen.signal]) };
  const openPage = async (url: string): Promise<void> => {
    if (!(await parts.openPage(url))) unseen.abort();
  };
  const end = await logIn(place, { type: "browser", openPage });
  if (end.type === "logged_in") return;
  if (unseen.signal.aborted)
    throw refuse("No browser can be opened here: run `unroll login --device-auth` in a terminal.");
  throw refuse(explainLoginFault(end));
}
