import { resolveCredential } from "@unroll/config";
import { openLogin } from "@unroll/harness";
import { RequestFault } from "@unroll/line-server";
import { defineMethod, type Method, type MethodContext } from "./method.ts";
import { showLogin, toLoginFault } from "./show-login.ts";

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
      const fault = toLoginFault(await auth.logInByKey(params.apiKey, context.signal));
      if (fault !== null) throw new RequestFault("invalidRequest", fault);
      return { result: { type: "apiKey" }, after: () => tellEnd(context, null, fault) };
    }
    case "chatgpt": {
      const { loginId, shown: authUrl } = await showAccountLogin<string>(context, (openPage, signal) =>
        auth.logInByBrowser({ openPage, signal }),
      );
      return { result: { type: "chatgpt", loginId, authUrl } };
    }
    case "chatgptDeviceCode": {
      const { loginId, shown } = await showAccountLogin<ShownCode>(context, (showCode, signal) =>
        auth.logInByDevice({ showCode, signal }),
      );
      return { result: { type: "chatgptDeviceCode", loginId, verificationUrl: shown.url, userCode: shown.code } };
    }
  }
});

interface ShownCode {
  readonly code: string;
  readonly url: string;
}

/** Resolves once there is something to show; the client is told of the end. */
async function showAccountLogin<Shown>(
  context: MethodContext,
  begin: (show: (shown: Shown) => Promise<void>, signal: AbortSignal) => Promise<LoginEnd>,
): Promise<{ readonly loginId: string; readonly shown: Shown }> {
  const { frontEnd, logins, client } = context;
  const [loginId, stop] = [frontEnd.host.newId(), new AbortController()];
  logins.set(loginId, stop);
  const ends = [context.signal, client.ended, stop.signal, AbortSignal.timeout(patienceMs)];
  const { shown, fault } = showLogin<Shown>((show) => begin(show, AbortSignal.any(ends)));
  void fault.then((error) => {
    logins.delete(loginId);
    tellEnd(context, loginId, error);
  });
  return { loginId, shown: await shown };
}

function tellEnd({ client }: MethodContext, loginId: string | null, error: string | null): void {
  const success = error === null;
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
