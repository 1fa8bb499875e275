import { type AuthMethod, RequestError } from "@agentclientprotocol/sdk";
import { resolveCredential, type ResolvedConfig } from "@unroll/config";
import type { FrontEnd } from "@unroll/front-end";
import { openLogin } from "@unroll/harness";
import { needsDemoModel } from "@unroll/program";
import { toAuthRequired } from "../map/to-request-error.ts";
import type { ClientOffers } from "../tell/client-offers.ts";

/** Who the requests are from. */
export interface Login {
  /** The ways that fit the config, as far as it can be read. */
  listMethods(offers: ClientOffers): Promise<AuthMethod[]>;
  /** Throws `RequestError` where that way leads to none. */
  logIn(methodId: string, signal: AbortSignal): Promise<void>;
  logOut(signal: AbortSignal): Promise<void>;
  /** Throws `RequestError` where there is no key, no login, and nobody chose the demo. */
  check(cwd: string): Promise<void>;
}

export interface LoginParts {
  readonly frontEnd: Pick<FrontEnd, "host" | "loadConfig">;
  readonly openPage: (url: string) => Promise<boolean>;
}

/** How long a person may take on the pages of the server, in ms. */
const patienceMs = 15 * 60 * 1000;
/** How long the server may take to end a login, in ms. */
const revocationMs = 10_000;

export function createLogin({ frontEnd, openPage }: LoginParts): Login {
  const { host, loadConfig } = frontEnd;
  let isDemoChosen = false;
  return {
    async listMethods(offers) {
      const config = await loadConfig(null).catch(() => null); // what is wrong with it is told where a session is opened
      return listMethods(config, offers);
    },
    async logIn(methodId, signal) {
      const config = await loadConfig(null);
      switch (methodId) {
        case "api-key":
          return checkKey(config, frontEnd);
        case "chatgpt":
          return logInByBrowser(config, { frontEnd, openPage }, signal);
        case "demo":
          isDemoChosen = true;
          return;
        default:
          throw RequestError.invalidParams(
            { methodId },
            `methodId: there is no way to log in of that name: ${methodId}.`,
          );
      }
    },
    async logOut(signal) {
      isDemoChosen = false;
      const auth = await openLogin(await loadConfig(null), host);
      await auth.logOut(AbortSignal.any([signal, AbortSignal.timeout(revocationMs)]));
    },
    async check(cwd) {
      if (isDemoChosen || !(await needsDemoModel(await loadConfig(cwd), host))) return;
      const message =
        "There is no API key and no login: run `unroll login`, set OPENAI_API_KEY in the environment of the agent, or choose one of the ways that the editor offers.";
      throw toAuthRequired({ code: "missing_credential", message });
    },
  };
}

/** Null: the config cannot be read. */
function listMethods(config: ResolvedConfig | null, { terminalLogin }: ClientOffers): AuthMethod[] {
  const [envName = "OPENAI_API_KEY"] = config?.provider.envKeys ?? [];
  const takesLogin = config?.provider.requiresOpenaiAuth ?? true;
  const method = config?.login.method ?? null;
  const key: AuthMethod = {
    id: "api-key",
    name: "API key",
    description: `Uses $${envName} of the agent's environment${takesLogin ? ", or the key that `unroll login --with-api-key` kept" : ""}.`,
  };
  const browser: AuthMethod = {
    id: "chatgpt",
    name: "Log in with ChatGPT",
    description: "Opens the page of the login in your browser, and waits for you.",
  };
  const terminal: AuthMethod = {
    type: "terminal",
    id: "terminal",
    name: "Log in in a terminal",
    description: "Runs `unroll login` where you see it.",
    args: ["login"],
  };
  const demo: AuthMethod = {
    id: "demo",
    name: "Try the demo",
    description: "A script answers, and no language model.",
  };
  const logins = takesLogin && method !== "api" ? [browser, ...(terminalLogin ? [terminal] : [])] : [];
  return [...(method === "chatgpt" ? [] : [key]), ...logins, demo];
}

async function checkKey(config: ResolvedConfig, { host }: LoginParts["frontEnd"]): Promise<void> {
  const credential = resolveCredential(config.provider, host.env);
  if (credential.type !== "missing") return;
  const { envName, takesLogin } = credential;
  const kept = takesLogin ? await (await openLogin(config, host)).status() : null;
  if (kept?.type === "key") return;
  const other = takesLogin ? ", or keep a key by `unroll login --with-api-key`" : "";
  const message = `$${envName} is not set: set it in the environment that the editor starts the agent with${other}.`;
  throw toAuthRequired({ code: "missing_credential", message });
}

async function logInByBrowser(
  config: ResolvedConfig,
  { frontEnd, openPage }: LoginParts,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const auth = await openLogin(config, frontEnd.host);
  let isSeen = true;
  const end = await auth.logInByBrowser({
    async openPage(url) {
      isSeen = await openPage(String(url));
      if (!isSeen) stop.abort();
    },
    signal: AbortSignal.any([signal, stop.signal, AbortSignal.timeout(patienceMs)]),
  });
  if (end.type === "logged_in") return;
  const noBrowser = "No browser can be opened here: run `unroll login --device-auth` in a terminal.";
  const message = isSeen ? (end.type === "failed" ? end.message : "Nobody logged in.") : noBrowser;
  throw toAuthRequired({ code: "missing_credential", message });
}
