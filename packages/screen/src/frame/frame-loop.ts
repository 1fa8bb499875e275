import type { Clock } from "@unroll/flow";

/** Where frames go, and when. */
export interface FrameLoopPorts {
  readonly clock: Pick<Clock, "elapsed" | "setTimer">;
  /** The next frame, or "" where nothing changed. */
  readonly render: () => string;
  /** Writes it; false where the terminal did not take all of it yet: then no frame is made until `drained`. */
  readonly write: (bytes: string) => boolean;
  /** Whether there is more to write at once (a long transcript): it goes out frame by frame. */
  readonly hasMore?: () => boolean;
}

/** At most 30 frames a second; what a key did is shown at once, at most every 8 ms. No timer runs while nothing changes. */
export interface FrameLoop {
  /** Something changed: a frame is made with the next tick of 33 ms. */
  readonly request: () => void;
  /** A key did something: a frame is made now. */
  readonly requestNow: () => void;
  readonly drained: () => void;
  /** Makes no frame until `resume`: another program has the terminal. */
  readonly pause: () => void;
  readonly resume: () => void;
}

const frameGapMs = 33;
const keyGapMs = 8;

export function createFrameLoop(ports: FrameLoopPorts): FrameLoop {
  let [last, isBlocked, isPaused] = [Number.NEGATIVE_INFINITY, false, false];
  let timer: { due: number; cancel: () => void } | null = null;
  let isWanted = false;
  const paint = (): void => {
    timer?.cancel();
    timer = null;
    if (isBlocked || isPaused) return;
    isWanted = false;
    const bytes = ports.render();
    if (bytes === "") return;
    last = ports.clock.elapsed();
    isBlocked = !ports.write(bytes);
    if (ports.hasMore?.() === true) plan(keyGapMs);
  };
  const plan = (gapMs: number): void => {
    isWanted = true;
    if (isBlocked || isPaused) return;
    const now = ports.clock.elapsed();
    const due = Math.max(now, last + gapMs);
    if (timer !== null && timer.due <= due) return;
    timer?.cancel();
    timer = null;
    if (due <= now && gapMs === keyGapMs) return paint();
    timer = { due, cancel: ports.clock.setTimer(due - now, paint) };
  };
  const goOn = (): void => {
    if (isWanted) plan(keyGapMs);
  };
  return {
    request: () => plan(frameGapMs),
    requestNow: () => plan(keyGapMs),
    drained() {
      isBlocked = false;
      goOn();
    },
    pause() {
      isPaused = true;
      timer?.cancel();
      timer = null;
    },
    resume() {
      isPaused = false;
      goOn();
    },
  };
}
