import { listNamedSecrets, type ResolvedConfig } from "@unroll/config";
import type { SecretMask } from "@unroll/text";
import type { ToolRuntime, Transcript } from "@unroll/core";
import { maskNote } from "@unroll/tools";
import type { LearnedSecrets } from "./learned-secrets.ts";
import type { Host } from "../host/host.ts";

interface MaskContext {
  /** The harness's config. */
  readonly config: ResolvedConfig;
  readonly host: Pick<Host, "env">;
  readonly learned: LearnedSecrets;
}

/**
 * A thread's mask: the credentials of its own config, those of the harness, whose servers it uses,
 * and those that appear later. Null: masking is off.
 */
export function openSecretMask(
  config: ResolvedConfig,
  { config: shared, host, learned }: MaskContext,
): SecretMask | null {
  if (!config.maskSecrets) return null;
  const configs = config === shared ? [config] : [shared, config];
  return learned.createMask(configs.flatMap((each) => listNamedSecrets(each, host.env)));
}

/**
 * Wraps the runtime. After the first outputs with a masked value, a message explains it to the
 * model. The explanation is repeated if it is no longer part of the requests.
 */
export function explainMasks(runtime: ToolRuntime, secrets: SecretMask, transcript: Transcript): ToolRuntime {
  if (secrets.isEmpty) return runtime;
  const note = JSON.stringify(maskNote.content);
  const isTold = (): boolean =>
    transcript.items.some((item) => item.type === "message" && JSON.stringify(item.content) === note);
  return {
    ...runtime,
    async *run(calls, context) {
      const items = yield* runtime.run(calls, context);
      const shown = JSON.stringify(items, (key, value: unknown) => (key === "image_url" ? null : value));
      const holdsStandIn = secrets.findStandIns(shown).some(({ value }) => value !== null);
      return holdsStandIn && !isTold() ? [...items, maskNote] : items;
    },
  };
}
