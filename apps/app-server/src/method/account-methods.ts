import { explainLoginFault } from "@unroll/report";
import { ThreadHostError } from "@unroll/thread-host";
import { logIn, type LoginPlace, logOut, readCredential, type ShownCode } from "@unroll/use-cases/login";
import { toWireRateLimits } from "../map/to-wire-rate-limits.ts";
import type { MethodContext, MethodsOf, MethodTable } from "./method.ts";

export const accountMethods: MethodTable<MethodsOf<"account">> = {
  async "account/read"(_, { threadHost }) {
    const { credential, status } = await readCredential(await threadHost.loadConfig(null), threadHost.host);
    // without a key or a login the demo model stands in: nobody has to log in first
    const requiresOpenaiAuth = status !== null;
    if (credential.type === "bearer" || status?.type === "key")
      return { result: { account: { type: "apiKey" }, requiresOpenaiAuth } };
    if (status === null) return { result: { account: null, requiresOpenaiAuth } };
    const { email, plan } = status;
    return { result: { account: { type: "chatgpt", email, planType: plan ?? "unknown" }, requiresOpenaiAuth } };
  },

  async "account/rateLimits/read"(_, { rateLimits }) {
    return { result: { rateLimits: toWireRateLimits(rateLimits()) } };
  },

  async "account/login/start"(params, context) {
    const { logins, client, signal } = context;
    const place = await openPlace(context, signal);
    const until = (stop: AbortSignal): LoginPlace => ({
      ...place,
      signal: AbortSignal.any([signal, client.ended, stop]),
    });
    switch (params.type) {
      case "apiKey": {
        const end = await logIn(place, { type: "key", readKey: async () => params.apiKey });
        if (end.type !== "logged_in") throw new ThreadHostError("not_logged_in", explainLoginFault(end));
        return { result: { type: "apiKey" }, after: () => tellEnd(context, null, null) };
      }
      case "chatgpt": {
        const { loginId, shown, ended } = await logins.start<string>((openPage, stop) =>
          logIn(until(stop), { type: "browser", openPage }),
        );
        const after = (): void => void ended.then((error) => tellEnd(context, loginId, error));
        return { result: { type: "chatgpt", loginId, authUrl: shown }, after };
      }
      case "chatgptDeviceCode": {
        const { loginId, shown, ended } = await logins.start<ShownCode>((showCode, stop) =>
          logIn(until(stop), { type: "code", showCode }),
        );
        const after = (): void => void ended.then((error) => tellEnd(context, loginId, error));
        const { url: verificationUrl, code: userCode } = shown;
        return { result: { type: "chatgptDeviceCode", loginId, verificationUrl, userCode }, after };
      }
    }
  },

  "account/login/cancel": async ({ loginId }, { logins }) => ({
    result: { status: logins.cancel(loginId) ? "canceled" : "notFound" },
  }),

  async "account/logout"(_, context) {
    await logOut(await openPlace(context, context.signal));
    return {
      result: {},
      after: () => context.client.notify({ method: "account/updated", params: { authMode: null } }),
    };
  },
};

/** By the config as it is now. */
async function openPlace({ threadHost }: MethodContext, signal: AbortSignal): Promise<LoginPlace> {
  return { config: await threadHost.loadConfig(null), host: threadHost.host, signal };
}

function tellEnd({ client }: MethodContext, loginId: string | null, error: string | null): void {
  const success = error === null;
  client.notify({ method: "account/login/completed", params: { loginId, success, error } });
  if (success)
    client.notify({ method: "account/updated", params: { authMode: loginId === null ? "apikey" : "chatgpt" } });
}
