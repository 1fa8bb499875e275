import type { Clock } from "@unroll/flow";
import { describeSystemError, describeThrown } from "@unroll/text";
import { AuthError } from "../auth-error.ts";
import { type LoopbackCallback, openLoopbackCallback } from "../loopback/loopback-callback.ts";
import type { CallbackPage } from "../loopback/render-callback-page.ts";
import { findServer, type FoundServer } from "../server/authorization-server.ts";
import { requestTokens } from "../server/request-tokens.ts";
import type { LoginServer, Network } from "../auth-settings.ts";
import { finishLogin } from "./finish-login.ts";
import type { LoginResult } from "./login-outcome.ts";

export interface BrowserLogin {
  readonly server: LoginServer;
  readonly network: Network;
  readonly clock: Pick<Clock, "now">;
  /** Opens the page in a browser, or shows its address. */
  readonly openPage: (url: string) => Promise<void>;
  /**
   * The ports on 127.0.0.1 to which the browser may return. Absent: those that OpenAI accepts; with
   * another server, any.
   */
  readonly ports?: readonly number[] | undefined;
  readonly signal: AbortSignal;
}

/** The addresses to which OpenAI lets a browser return; only the port may vary. */
const openaiPorts = [1455, 1457];
const path = "/auth/callback";

/** Logs in by the authorization code with PKCE (RFC 7636). Throws `AuthError`, and the signal's reason. */
export async function logInByBrowser(options: BrowserLogin): Promise<LoginResult> {
  const oauth = await import("oauth4webapi");
  const { signal } = options;
  const server = await findServer(options.server, options.network, signal);
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const ports = options.ports ?? [...openaiPorts, ...(server.layout === "chatgpt" ? [] : [0])];
  const opened = await openCallback(ports, state);
  if (typeof opened === "string") return { type: "failed", message: opened };
  await using callback = opened;
  const { redirectUrl } = callback;
  const scopes = options.server.scopes.join(" ");
  const opening = options.openPage(toPage(server, { redirectUrl, scopes, state, challenge }).href);

  const visit = await callback.wait(opening, signal);
  return await visit.settle(async () => {
    if (visit.result.type === "error") {
      return { type: "failed", message: `The login was refused: ${visit.result.error}. Nothing has changed.` };
    }
    const parameters = readBrought(oauth, server, { parameters: visit.parameters, state });
    const answer = await requestTokens(server, { type: "code", parameters, redirectUrl, verifier });
    return finishLogin(answer, options.clock);
  }, toCallbackPage);
}

/** Also checks the issuer (RFC 9207): another server that the user was lured to would want our code. */
function readBrought(
  oauth: typeof import("oauth4webapi"),
  { metadata, client }: FoundServer,
  { parameters, state }: { readonly parameters: URLSearchParams; readonly state: string },
): URLSearchParams {
  try {
    return oauth.validateAuthResponse(metadata, client, parameters, state);
  } catch (error) {
    const reason = describeThrown(error);
    const message = `The browser's response is not from ${metadata.issuer}: ${reason}.`;
    throw new AuthError("server_refused", message, { cause: error });
  }
}

async function openCallback(ports: readonly number[], state: string): Promise<LoopbackCallback | string> {
  try {
    return await openLoopbackCallback({ ports, host: "localhost", path, state });
  } catch (error) {
    return `The browser cannot return to unroll (port ${ports.join(" and ")}): ${describeSystemError(error)}. If another login is in progress, finish it. Or log in with --device-auth.`;
  }
}

interface PageOptions {
  readonly redirectUrl: string;
  readonly scopes: string;
  readonly state: string;
  readonly challenge: string;
}

function toPage({ metadata, client, layout }: FoundServer, options: PageOptions): URL {
  const page = new URL(metadata.authorization_endpoint ?? metadata.issuer);
  const parameters = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: options.redirectUrl,
    scope: options.scopes,
    code_challenge: options.challenge,
    code_challenge_method: "S256",
    state: options.state,
    // OpenAI's own parameters; without them the ID token names no account.
    ...(layout === "chatgpt" && { id_token_add_organizations: "true", codex_cli_simplified_flow: "true" }),
  };
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value);
  return page;
}

function toCallbackPage(result: LoginResult): CallbackPage {
  if (result.type === "failed") {
    return { outcome: "bad", title: "You are not logged in", text: `${result.message} Go back to the terminal.` };
  }
  return {
    outcome: "good",
    title: "You are logged in",
    text: "Close this page and go back to the terminal. unroll login status shows the login, unroll logout deletes it.",
  };
}
