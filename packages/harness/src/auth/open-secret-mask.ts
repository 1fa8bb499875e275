import { listNamedSecrets, type ResolvedConfig } from "@unroll/config";
import type { SecretMask } from "@unroll/text";
import type { ToolRuntime, Transcript } from "@unroll/core";
import { maskNote } from "@unroll/tools";
import type { LearnedSecrets } from "./learned-secrets.ts";
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

/** The runtime, with a message behind the first outputs that hold a stand-in: what it is. Told anew where it is sent no more. */
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
