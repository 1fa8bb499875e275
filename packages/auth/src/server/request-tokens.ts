import { AuthError } from "../auth-error.ts";
import { type FoundServer, toTransport } from "./authorization-server.ts";
import { parseTokenAnswer, type TokenAnswer } from "./parse-token-answer.ts";

/** The basis of a request for tokens. */
export type Grant =
  /** `parameters`: what the browser brought, checked (`validateAuthResponse`). */
  | {
      readonly type: "code";
      readonly parameters: URLSearchParams;
      readonly redirectUrl: string;
      readonly verifier: string;
    }
  | { readonly type: "device"; readonly deviceCode: string }
  | { readonly type: "refresh"; readonly refreshToken: string };

/**
 * Requests tokens once. Throws a retryable `AuthError` if the server cannot be reached or cannot
 * respond, and an `AbortError`.
 */
export async function requestTokens(server: FoundServer, grant: Grant): Promise<TokenAnswer> {
  const oauth = await import("oauth4webapi");
  const { metadata, client, send, requestOptions } = server;
  const options = { ...requestOptions, ...toTransport(oauth, send) };
  const none = oauth.None();
  const request = (): Promise<Response> => {
    switch (grant.type) {
      case "code": {
        const { parameters, redirectUrl, verifier } = grant;
        return oauth.authorizationCodeGrantRequest(metadata, client, none, parameters, redirectUrl, verifier, options);
      }
      case "device":
        return oauth.deviceCodeGrantRequest(metadata, client, none, grant.deviceCode, options);
      case "refresh":
        return oauth.refreshTokenGrantRequest(metadata, client, none, grant.refreshToken, options);
    }
  };
  const response = await request();
  const answer = parseTokenAnswer(response.status, await readJson(response));
  if (answer !== null) return answer;
  const host = new URL(metadata.token_endpoint ?? metadata.issuer).host;
  throw new AuthError("server_unreachable", `${host} could not process the login (status ${response.status}).`, {
    retryable: true,
  });
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}
