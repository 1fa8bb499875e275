/** Descriptors, processes, memory for them, and space on a disk: in the words of the system, of its programs and ours. */
const words =
  /\b(?:EMFILE|ENFILE|EAGAIN|ENOSPC|EDQUOT)\b|too many open files|resource temporarily unavailable|no space left on (?:the )?(?:device|disk)|disk quota (?:exceeded|is used up)/i;

/** bwrap says ENOSPC, too, where the system allows no user namespaces: that stays so. */
const lasting = /max_\*_namespaces/;

/** Whether a reason names something that the system lacks and may have again in a moment. */
export function isShortage(reason: string): boolean {
  return words.test(reason) && !lasting.test(reason);
}
