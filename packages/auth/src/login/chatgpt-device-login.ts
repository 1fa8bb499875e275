import type { Clock } from "@unroll/flow";
import * as z from "zod";
import { AuthError } from "../auth-error.ts";
import type { FoundServer } from "../server/authorization-server.ts";
import { requestTokens } from "../server/request-tokens.ts";
import { finishLogin } from "./finish-login.ts";
import type { LoginResult } from "./login-outcome.ts";

interface ChatgptDevice {
  readonly clock: Pick<Clock, "now" | "sleep">;
  readonly showCode: (code: { readonly code: string; readonly url: string }) => Promise<void>;
  readonly signal: AbortSignal;
}

const begunSchema = z
  .object({
    device_auth_id: z.string(),
    user_code: z.string().optional(),
    usercode: z.string().optional(),
    interval: z.coerce.number().positive().catch(5),
  })
  .transform(({ user_code, usercode, ...rest }) => ({ ...rest, user_code: user_code ?? usercode ?? "" }));
const grantedSchema = z.object({ authorization_code: z.string(), code_verifier: z.string() });

/** In ms: how long OpenAI waits for the user. */
const patienceMs = 15 * 60 * 1000;

/**
 * OpenAI's own flow: the code that the user enters leads to an authorization code, with a verifier
 * that the server made.
 */
export async function logInByChatgptDevice(server: FoundServer, options: ChatgptDevice): Promise<LoginResult> {
  const { clock, signal } = options;
  const { issuer } = server.metadata;
  const begun = await post(server, { path: "usercode", body: { client_id: server.client.client_id }, signal });
  if (begun.status === 404) return { type: "failed", message: `${issuer} offers no login with a device code.` };
  const device = begunSchema.safeParse(begun.json).data;
  if (device === undefined)
    throw new AuthError("server_refused", `${issuer} returned no device code (status ${begun.status}).`);
  await options.showCode({ code: device.user_code, url: `${issuer}/codex/device` });

  const until = clock.now() + patienceMs;
  const body = { device_auth_id: device.device_auth_id, user_code: device.user_code };
  while (clock.now() < until) {
    await clock.sleep(device.interval * 1000, signal);
    signal.throwIfAborted();
    const { status, json } = await post(server, { path: "token", body, signal });
    if (status === 403 || status === 404) continue; // not yet
    const granted = grantedSchema.safeParse(json).data;
    if (granted === undefined) return { type: "failed", message: `${issuer} did not accept the login (${status}).` };
    return exchange(server, granted, clock);
  }
  return { type: "failed", message: "The code was not entered in time. Run it again." };
}

async function exchange(
  server: FoundServer,
  granted: z.infer<typeof grantedSchema>,
  clock: Pick<Clock, "now">,
): Promise<LoginResult> {
  const oauth = await import("oauth4webapi");
  const { metadata, client } = server;
  const brought = new URLSearchParams({ code: granted.authorization_code });
  const parameters = oauth.validateAuthResponse(metadata, client, brought, oauth.expectNoState);
  const redirectUrl = `${metadata.issuer}/deviceauth/callback`;
  const answer = await requestTokens(server, {
    type: "code",
    parameters,
    redirectUrl,
    verifier: granted.code_verifier,
  });
  return finishLogin(answer, clock);
}

interface Post {
  readonly path: "usercode" | "token";
  readonly body: object;
  readonly signal: AbortSignal;
}

async function post(server: FoundServer, { path, body, signal }: Post): Promise<{ status: number; json: unknown }> {
  const response = await server.send(`${server.metadata.issuer}/api/accounts/deviceauth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  const json: unknown = await response.json().catch(() => null);
  return { status: response.status, json };
}
