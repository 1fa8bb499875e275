import { RequestFailure } from "../failure/request-failure.ts";
import type { CredentialProvider } from "../port/credential-provider.ts";
import { toCredentialFailure } from "./authorize.ts";
import type { Send } from "./send.ts";

/** Sends again, once, with a refreshed credential where the server did not accept the one it got. */
export function withRefresh(send: Send, credential: CredentialProvider): Send {
  return async (call, signal) => {
    try {
      return await send(call, signal);
    } catch (error) {
      const isRefused = error instanceof RequestFailure && error.error.status === 401;
      if (!isRefused || !(await refresh(credential, signal))) throw error;
      return send(call, signal);
    }
  };
}

async function refresh(credential: CredentialProvider, signal: AbortSignal): Promise<boolean> {
  try {
    return (await credential.refresh?.(signal)) ?? false;
  } catch (error) {
    throw toCredentialFailure(error);
  }
}
