/**
 * The modes that an inline program sets: bracketed paste, focus events, distinct keys (kitty's protocol, level 1, or xterm's
 * modifyOtherKeys on terminals without it). Written once, before the first frame and after each suspension.
 */
export const enterModes: string = "\u001b[?2004h\u001b[?1004h\u001b[>4;1m\u001b[>1u";

/**
 * Gives the terminal back, whatever state it is in: for every way out, also after a crash. It moves nothing and clears nothing; the
 * caller ends the line (`Screen.leave`).
 */
export const restoreModes: string =
  "\u001b[?2026l\u001b[0m\u001b]8;;\u001b\\\u001b[?7h\u001b[?2031l\u001b[<u\u001b[>4;0m\u001b[?1004l\u001b[?2004l\u001b[?25h";

/**
 * Questions to the terminal: its background, its keyboard (kitty's protocol, then modifyOtherKeys by XTQMODKEYS, which a terminal may take
 * for an underline, so the looks are reset), its name, its kind. The last is answered by all of them, so that a missing answer to the
 * others shows.
 */
export const askTerminal: string = "\u001b]11;?\u001b\\\u001b[?u\u001b[?4m\u001b[m\u001b[>0q\u001b[c";
