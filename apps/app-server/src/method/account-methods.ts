import type { ShownLogin } from "@unroll/front-end";
import type { MethodContext, MethodsOf, MethodTable } from "./method.ts";

export const accountMethods: MethodTable<MethodsOf<"account">> = {
  async "account/read"(_, { account }) {
    const { account: found, takesLogin: requiresOpenaiAuth } = await account.read();
    if (found === null) return { result: { account: null, requiresOpenaiAuth } };
    if (found.type === "key") return { result: { account: { type: "apiKey" }, requiresOpenaiAuth } };
    const { email, plan } = found;
    return { result: { account: { type: "chatgpt", email, planType: plan ?? "unknown" }, requiresOpenaiAuth } };
  },

  async "account/login/start"(params, context) {
    const { account, signal } = context;
    switch (params.type) {
      case "apiKey":
        await account.logInByKey(params.apiKey, signal);
        return { result: { type: "apiKey" }, after: () => tellEnd(context, null, null) };
      case "chatgpt": {
        const { loginId, shown: authUrl } = await follow(context, (stop) => account.logInByBrowser(stop));
        return { result: { type: "chatgpt", loginId, authUrl } };
      }
      case "chatgptDeviceCode": {
        const { loginId, shown } = await follow(context, (stop) => account.logInByDevice(stop));
        return { result: { type: "chatgptDeviceCode", loginId, verificationUrl: shown.url, userCode: shown.code } };
      }
    }
  },

  async "account/login/cancel"({ loginId }, { logins }) {
    const found = logins.get(loginId);
    found?.abort();
    return { result: { status: found === undefined ? "notFound" : "canceled" } };
  },

  async "account/logout"(_, { account, signal, client }) {
    await account.logOut(signal);
    return { result: {}, after: () => client.notify({ method: "account/updated", params: { authMode: null } }) };
  },
};

/** Resolves once there is something to show; the client is told of the end. */
async function follow<Shown>(
  context: MethodContext,
  begin: (stop: AbortSignal) => Promise<ShownLogin<Shown>>,
): Promise<{ readonly loginId: string; readonly shown: Shown }> {
  const { frontEnd, logins, client, signal } = context;
  const [loginId, stop] = [frontEnd.host.newId(), new AbortController()];
  const { shown, fault } = await begin(AbortSignal.any([signal, client.ended, stop.signal]));
  logins.set(loginId, stop);
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
