import type { ToolRuntime, Transcript } from "@unroll/core";
import type { SecretMask } from "@unroll/text";
import { maskNote } from "@unroll/tools";

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
