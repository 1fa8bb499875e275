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

/**
 * At most 30 frames a second, or as few as 10 if each changes much: nobody reads text that fast, and a slow line is not
 * flooded. The effect of a key is shown at once, at most every 8 ms. No timer runs while nothing changes.
 */
export interface FrameLoop {
  /** Something changed: a frame is made when the gap behind the last one is over, of 33 to 100 ms. */
  readonly request: () => void;
  /** A key did something: a frame is made now. */
  readonly requestNow: () => void;
  readonly drained: () => void;
  /** Makes no frame until `resume`: another program has the terminal. */
  readonly pause: () => void;
  readonly resume: () => void;
}

const frameGapMs = 33;
const longestGapMs = 100;
const keyGapMs = 8;
/** Of frames that no key asked for. */
const charactersPerMs = 25;

/** Says when to paint: a few times a second, soon after a key, and not while the terminal is behind. Its ports are the clock and the painter. */
export function createFrameLoop(ports: FrameLoopPorts): FrameLoop {
  let [last, isBlocked, isPaused] = [Number.NEGATIVE_INFINITY, false, false];
  let gapMs = frameGapMs;
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
    gapMs = Math.max(frameGapMs, Math.min(longestGapMs, bytes.length / charactersPerMs));
    isBlocked = !ports.write(bytes);
    if (ports.hasMore?.() === true) plan(keyGapMs);
  };
  const plan = (afterMs: number): void => {
    isWanted = true;
    if (isBlocked || isPaused) return;
    const now = ports.clock.elapsed();
    const due = Math.max(now, last + afterMs);
    if (timer !== null && timer.due <= due) return;
    timer?.cancel();
    timer = null;
    if (due <= now && afterMs === keyGapMs) return paint();
    timer = { due, cancel: ports.clock.setTimer(due - now, paint) };
  };
  const goOn = (): void => {
    if (isWanted) plan(keyGapMs);
  };
  return {
    request: () => plan(gapMs),
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
