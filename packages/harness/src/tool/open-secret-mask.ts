import { listNamedSecrets, type ResolvedConfig } from "@unroll/config";
import { createSecretMask, type SecretMask } from "@unroll/text";
import type { HostEnvironment } from "../host/host-environment.ts";

/** A thread's mask, of the credentials of its config and of the harness's, whose servers it uses. Null: it is turned off. */
export function openSecretMask(
  config: ResolvedConfig,
  shared: ResolvedConfig,
  { env }: Pick<HostEnvironment, "env">,
): SecretMask | null {
  if (!config.maskSecrets) return null;
  const configs = config === shared ? [config] : [shared, config];
  return createSecretMask(configs.flatMap((each) => listNamedSecrets(each, env)));
}
