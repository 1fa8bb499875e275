import type { ServerWords } from "./server-words.ts";

const loading =
  /\bloading (?:the )?model\b|\bmodel\b[^.]{0,80}\b(?:is|being) (?:currently |still )?(?:loading|loaded|starting|warming)\b|\bwarming up\b|\bstarting up\b|\bscaling (?:up )?from zero\b/i;
const queued =
  /\b(?:server|service)\b[^.]{0,20}\bbusy\b|\bqueue\b[^.]{0,20}\bfull\b|\b(?:pending|queued) requests exceeded\b|\bnot (?:yet )?ready\b/i;

/**
 * Whether a server says that it is there and cannot answer yet: it loads its model, or others are before us. Waiting helps, and how long
 * is no question of how often.
 */
export function isNotReady({ status, text }: Pick<ServerWords, "status" | "text">): boolean {
  if (status === null || status === 500 || status === 502 || status === 504) return loading.test(text);
  return status === 503 && (loading.test(text) || queued.test(text));
}
