import { setFlagsFromString } from "node:v8";

/**
 * Sets V8 up for a conversation at the terminal, which stays open for hours and works a few ms at a time. Garbage is collected when the
 * heap has grown by a fifth (but 8 MB at least), and not when it is two or three times as large: it grows so slowly that this costs
 * nothing, and a third of a long conversation was garbage. And the last of V8's compilers is left out: what it saves is less than what
 * it takes, of the processor and 10 MB. To be called before any script is loaded: kept code counts for these flags alone.
 */
export function tuneEngine(): void {
  setFlagsFromString("--heap-growing-percent=20");
  setFlagsFromString("--no-turbofan");
}
