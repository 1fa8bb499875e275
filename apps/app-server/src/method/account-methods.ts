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
    const { account, logins, client, signal } = context;
    const until = (stop: AbortSignal): AbortSignal => AbortSignal.any([signal, client.ended, stop]);
    const tell = (loginId: string, error: string | null): void => tellEnd(context, loginId, error);
    switch (params.type) {
      case "apiKey":
        await account.logInByKey(params.apiKey, signal);
        return { result: { type: "apiKey" }, after: () => tellEnd(context, null, null) };
      case "chatgpt": {
        const { loginId, shown: authUrl } = await logins.follow((stop) => account.logInByBrowser(until(stop)), tell);
        return { result: { type: "chatgpt", loginId, authUrl } };
      }
      case "chatgptDeviceCode": {
        const { loginId, shown } = await logins.follow((stop) => account.logInByDevice(until(stop)), tell);
        return { result: { type: "chatgptDeviceCode", loginId, verificationUrl: shown.url, userCode: shown.code } };
      }
    }
  },

  "account/login/cancel": async ({ loginId }, { logins }) => ({
    result: { status: logins.cancel(loginId) ? "canceled" : "notFound" },
  }),

  async "account/logout"(_, { account, signal, client }) {
    await account.logOut(signal);
    return { result: {}, after: () => client.notify({ method: "account/updated", params: { authMode: null } }) };
  },
};

function tellEnd({ client }: MethodContext, loginId: string | null, error: string | null): void {
  const success = error === null;
  client.notify({ method: "account/login/completed", params: { loginId, success, error } });
  if (success)
    client.notify({ method: "account/updated", params: { authMode: loginId === null ? "apikey" : "chatgpt" } });
}
