import type { TurnItem } from "../../script/turn.ts";
import type { Scene } from "../scene.ts";

/** Sums the thread up: what a harness asks for when it compacts. */
export function sumUp({ earlierTasks }: Scene): readonly TurnItem[] {
  const tasks = earlierTasks.map((task) => `- ${task.split("\n")[0]}`);
  const list = tasks.length > 0 ? tasks.join("\n") : "- nothing yet";
  return [
    { text: `The person asked for, in this order:\n\n${list}\n\nI am the demo model: I answered each on the spot.` },
  ];
}
