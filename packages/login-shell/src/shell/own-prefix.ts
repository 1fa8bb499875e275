/** How names begin that our own scripts use; nothing of the user's does. */
export const ownPrefix = "__unroll_";
