import { resolveCredential } from "@unroll/config";
import { openLogin } from "@unroll/harness";
import { describeThrown } from "@unroll/text";
import { RequestFault } from "@unroll/line-server";
import { defineMethod, type Method, type MethodContext } from "./method.ts";

/** How long a person may take on the pages of the server, in ms. */
const patienceMs = 15 * 60 * 1000;
/** How long the server may take to end a login, in ms. */
const revocationMs = 10_000;

type LoginAuth = Awaited<ReturnType<typeof openLogin>>;
type LoginEnd = Awaited<ReturnType<LoginAuth["logInByKey"]>>;

export const readAccount: Method = defineMethod("account/read", async (_, { frontEnd }) => {
  const config = await frontEnd.loadConfig(null);
  const credential = resolveCredential(config.provider, frontEnd.host.env);
  if (credential.type === "bearer") return { result: { account: { type: "apiKey" }, requiresOpenaiAuth: false } };
  if (credential.type !== "missing") return { result: { account: null, requiresOpenaiAuth: false } };
  const status = await (await openLogin(config, frontEnd.host)).status();
  // without a key or a login the demo model stands in: nobody has to log in first
  if (status === null) return { result: { account: null, requiresOpenaiAuth: false } };
  const { email, plan } = status;
  const account =
    status.type === "key"
      ? ({ type: "apiKey" } as const)
      : ({ type: "chatgpt", email, planType: plan ?? "unknown" } as const);
  return { result: { account, requiresOpenaiAuth: credential.takesLogin } };
});

export const startLogin: Method = defineMethod("account/login/start", async (params, context) => {
  const { frontEnd } = context;
  const auth = await openLogin(await frontEnd.loadConfig(null), frontEnd.host);
  switch (params.type) {
    case "apiKey": {
      const end = await auth.logInByKey(params.apiKey, context.signal);
      if (end.type === "failed") throw new RequestFault("invalidRequest", end.message);
      return { result: { type: "apiKey" }, after: () => tellEnd(context, null, end) };
    }
    case "chatgpt": {
      const page = Promise.withResolvers<string>();
      const { loginId, signal } = openDesk(context);
      const end = auth.logInByBrowser({ openPage: async (url) => page.resolve(String(url)), signal });
      watch(context, { loginId, end, reject: page.reject });
      return { result: { type: "chatgpt", loginId, authUrl: await page.promise } };
    }
    case "chatgptDeviceCode": {
      const shown = Promise.withResolvers<{ readonly code: string; readonly url: string }>();
      const { loginId, signal } = openDesk(context);
      const end = auth.logInByDevice({
        showCode: async ({ code, url }) => shown.resolve({ code, url: String(url) }),
        signal,
      });
      watch(context, { loginId, end, reject: shown.reject });
      const { code: userCode, url: verificationUrl } = await shown.promise;
      return { result: { type: "chatgptDeviceCode", loginId, verificationUrl, userCode } };
    }
  }
});

function openDesk({ frontEnd, logins, client, signal }: MethodContext): {
  readonly loginId: string;
  readonly signal: AbortSignal;
} {
  const loginId = frontEnd.host.newId();
  const stop = new AbortController();
  logins.set(loginId, stop);
  return { loginId, signal: AbortSignal.any([signal, client.ended, stop.signal, AbortSignal.timeout(patienceMs)]) };
}

interface WatchedLogin {
  readonly loginId: string;
  readonly end: Promise<LoginEnd>;
  /** Where the client was shown nothing yet. */
  readonly reject: (error: Error) => void;
}

function watch(context: MethodContext, { loginId, end, reject }: WatchedLogin): void {
  const told = end.catch((error: unknown): LoginEnd => ({ type: "failed", message: describeThrown(error) }));
  void told.then((outcome) => {
    context.logins.delete(loginId);
    reject(new RequestFault("invalidRequest", outcome.type === "failed" ? outcome.message : "Nobody logged in."));
    tellEnd(context, loginId, outcome);
  });
}

function tellEnd({ client }: MethodContext, loginId: string | null, end: LoginEnd): void {
  const success = end.type === "logged_in";
  const error = success ? null : end.type === "failed" ? end.message : "Nobody logged in.";
  client.notify({ method: "account/login/completed", params: { loginId, success, error } });
  if (success)
    client.notify({ method: "account/updated", params: { authMode: loginId === null ? "apikey" : "chatgpt" } });
}

export const cancelLogin: Method = defineMethod("account/login/cancel", async ({ loginId }, { logins }) => {
  const found = logins.get(loginId);
  found?.abort();
  return { result: { status: found === undefined ? "notFound" : "canceled" } };
});

export const logOut: Method = defineMethod("account/logout", async (_, { frontEnd, signal, client }) => {
  const auth = await openLogin(await frontEnd.loadConfig(null), frontEnd.host);
  await auth.logOut(AbortSignal.any([signal, AbortSignal.timeout(revocationMs)]));
  return { result: {}, after: () => client.notify({ method: "account/updated", params: { authMode: null } }) };
});
