import type { ToolRuntime, Transcript } from "@unroll/core";
import type { SecretMask } from "@unroll/text";
import { maskNote } from "@unroll/tools";

/** The runtime, with a message behind the first outputs that hold a stand-in: what it is. Told anew where it is sent no more. */
export function explainMasks(runtime: ToolRuntime, secrets: SecretMask, transcript: Transcript): ToolRuntime {
  const note = JSON.stringify(maskNote.content);
  const isTold = (): boolean =>
    transcript.items.some((item) => item.type === "message" && JSON.stringify(item.content) === note);
  return {
    ...runtime,
    async *run(calls, context) {
      const items = yield* runtime.run(calls, context);
      const holdsStandIn = items.some((item) => secrets.findStandIns(JSON.stringify(item)).some(({ value }) => value));
      return holdsStandIn && !isTold() ? [...items, maskNote] : items;
    },
  };
}
