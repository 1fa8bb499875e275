import { statSync } from "node:fs";
import { userInfo } from "node:os";

/** The user that we are, by number: in some containers it has no name, and `userInfo` fails. */
export function ownUserId(): number {
  try {
    return userInfo().uid;
  } catch {
    return statSync("/proc/self").uid;
  }
}
