import type { ShownThread } from "@unroll/cells";
import type { Clock } from "@unroll/flow";
import type { Screen } from "@unroll/screen";

/** Between two pieces of it, in ms. */
const prepareMs = 4;

export interface PreparedSurface {
  readonly transcript: ShownThread | null;
  readonly screen: Pick<Screen, "size">;
}

/** Does what a pager on the transcript needs, piece by piece between frames and keys. Called behind each frame. */
export function createPreparing(surface: PreparedSurface, clock: Pick<Clock, "setTimer">): () => void {
  let isPreparing = false;

  function prepare(): void {
    if (isPreparing || surface.transcript?.isSourceReady !== false) return;
    isPreparing = true;
    clock.setTimer(prepareMs, () => {
      isPreparing = false;
      surface.transcript?.prepareSource(surface.screen.size().columns - 1);
      prepare();
    });
  }
  return prepare;
}
