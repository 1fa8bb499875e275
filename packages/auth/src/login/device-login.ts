import type { Clock } from "@unroll/flow";
import { describeThrown } from "@unroll/text";
import { AuthError } from "../auth-error.ts";
import { findServer, type FoundServer, toTransport } from "../server/authorization-server.ts";
import { requestTokens } from "../server/request-tokens.ts";
import type { LoginServer, Network } from "../auth-settings.ts";
import { logInByChatgptDevice } from "./chatgpt-device-login.ts";
import { finishLogin } from "./finish-login.ts";
import type { LoginResult } from "./login-outcome.ts";

/** The user's steps on another device. */
interface DeviceCode {
  readonly code: string;
  readonly url: string;
}

export interface DeviceLogin {
  readonly server: LoginServer;
  readonly network: Network;
  readonly clock: Pick<Clock, "now" | "sleep">;
  readonly showCode: (code: DeviceCode) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Logs in without a browser on this machine: the user enters a code elsewhere. Throws `AuthError`,
 * and the signal's reason.
 */
export async function logInByDevice(options: DeviceLogin): Promise<LoginResult> {
  const server = await findServer(options.server, options.network, options.signal);
  return server.layout === "chatgpt" ? logInByChatgptDevice(server, options) : logInByStandard(server, options);
}

/** RFC 8628. */
async function logInByStandard(server: FoundServer, options: DeviceLogin): Promise<LoginResult> {
  const oauth = await import("oauth4webapi");
  const { metadata, client, send, requestOptions } = server;
  if (metadata.device_authorization_endpoint === undefined) {
    return {
      type: "failed",
      message: `${metadata.issuer} offers no login with a device code: log in with the browser.`,
    };
  }
  const transport = { ...requestOptions, ...toTransport(oauth, send) };
  const parameters = { scope: options.server.scopes.join(" ") };
  const none = oauth.None();
  const response = await oauth.deviceAuthorizationRequest(metadata, client, none, parameters, transport);
  const device = await readDevice(oauth, server, response);
  await options.showCode({
    code: device.user_code,
    url: device.verification_uri_complete ?? device.verification_uri,
  });
  let waitMs = (device.interval ?? 5) * 1000;
  const { clock, signal } = options;
  for (;;) {
    await clock.sleep(waitMs, signal);
    signal.throwIfAborted();
    const answer = await requestTokens(server, { type: "device", deviceCode: device.device_code });
    if (answer.type === "refused" && answer.code === "slow_down") waitMs += 5000;
    else if (answer.type === "tokens" || answer.code !== "authorization_pending") return finishLogin(answer, clock);
  }
}

async function readDevice(
  oauth: typeof import("oauth4webapi"),
  { metadata, client }: FoundServer,
  response: Response,
): Promise<Awaited<ReturnType<typeof oauth.processDeviceAuthorizationResponse>>> {
  try {
    return await oauth.processDeviceAuthorizationResponse(metadata, client, response);
  } catch (error) {
    const reason = describeThrown(error);
    throw new AuthError("server_refused", `${metadata.issuer} returned no device code: ${reason}.`, { cause: error });
  }
}
