import { RequestFailure } from "../failure/request-failure.ts";
import type { AuthorizationHeaders, CredentialProvider } from "../port/credential-provider.ts";
import { authorize, toCredentialFailure } from "./authorize.ts";
import type { Call } from "./call.ts";
import type { Answer } from "./exchange.ts";
import type { SendOnce } from "./send.ts";

/** Sends a call with a credential; else as `SendOnce`. */
export type Send = (call: Call, signal: AbortSignal) => Promise<Answer>;

/** Sends again, once, with a refreshed credential where the server did not accept the one it got. */
export function withRefresh(send: SendOnce, credential: CredentialProvider): Send {
  const { remedy = null } = credential;
  return async (call, signal) => {
    const authorization = await authorize(credential, signal);
    try {
      return await send({ ...call, authorization, remedy }, signal);
    } catch (error) {
      const isRefused = error instanceof RequestFailure && error.error.status === 401;
      if (!isRefused || !(await refresh(credential, authorization, signal))) throw error;
      return send({ ...call, authorization: await authorize(credential, signal), remedy }, signal);
    }
  };
}

async function refresh(
  credential: CredentialProvider,
  refused: AuthorizationHeaders,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await credential.refresh?.(refused, signal)) ?? false;
  } catch (error) {
    throw toCredentialFailure(error);
  }
}
