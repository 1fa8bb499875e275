import { constants } from "node:os";
import type { ChildExit } from "../../spawn/child.ts";

/** `status` is in the format of wait(2). */
export function toExit(status: number): ChildExit {
  const number = status & 0x7f;
  if (number === 0) return { exitCode: (status >> 8) & 0xff, signal: null };
  const [name] = Object.entries(constants.signals).find(([, each]) => each === number) ?? [];
  return { exitCode: 128 + number, signal: name ?? `signal ${number}` };
}
