export { longestTimerMs } from "./clock.ts";
export { createAside } from "./aside.ts";
export { contain } from "./contain.ts";
export { createBroadcast } from "./broadcast.ts";
export { drain, forEach } from "./drain.ts";
export { createEventQueue } from "./event-queue.ts";
export { flatMap } from "./flat-map.ts";
export { followSignals } from "./follow-signals.ts";
export { once } from "./once.ts";
export { createSerialQueue } from "./one-by-one.ts";
export { settleAll } from "./settle-all.ts";
export { createSlots } from "./slots.ts";
export { untilAborted } from "./until-aborted.ts";
export { yieldAll } from "./yield-all.ts";

export type { Broadcast } from "./broadcast.ts";
export type { Clock } from "./clock.ts";
