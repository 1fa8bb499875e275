import { listNamedSecrets, type ResolvedConfig } from "@unroll/config";
import type { SecretMask } from "@unroll/text";
import type { LearnedSecrets } from "../auth/learned-secrets.ts";
import type { Host } from "../host/host.ts";

interface MaskContext {
  /** The harness's. */
  readonly config: ResolvedConfig;
  readonly host: Pick<Host, "env">;
  readonly learned: LearnedSecrets;
}

/**
 * A thread's mask, of the credentials of its config, of the harness's, whose servers it uses, and of those that come up
 * meanwhile. Null: it is turned off.
 */
export function openSecretMask(
  config: ResolvedConfig,
  { config: shared, host, learned }: MaskContext,
): SecretMask | null {
  if (!config.maskSecrets) return null;
  const configs = config === shared ? [config] : [shared, config];
  return learned.createMask(configs.flatMap((each) => listNamedSecrets(each, host.env)));
}
