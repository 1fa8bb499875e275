import type { PictureProtocol } from "./picture.ts";

/**
 * How the terminal takes pictures, judged by its name (XTVERSION, or null if unknown), or else by its environment. `ask`: write
 * `askPictures`; if the terminal confirms, it supports kitty's protocol. null: it takes none. A multiplexer shows none, because it
 * would have to know of them to scroll them.
 */
export function findPictureProtocol(
  environment: Readonly<Record<string, string | undefined>>,
  version: string | null,
): PictureProtocol | "ask" | null {
  if (environment["TMUX"] || environment["STY"] || environment["ZELLIJ"]) return null;
  const name = version ?? nameByEnvironment(environment);
  if (/^(?:kitty|ghostty|konsole)/i.test(name)) return "ask";
  return /^(?:iterm|wezterm|mintty)/i.test(name) ? "iterm2" : null;
}

function nameByEnvironment({
  KITTY_WINDOW_ID: kitty,
  KONSOLE_VERSION: konsole,
  TERM_PROGRAM: program,
  LC_TERMINAL: remote,
  TERM: term = "",
}: Readonly<Record<string, string | undefined>>): string {
  if (kitty) return "kitty";
  if (konsole) return "konsole";
  return program || remote || term.replace(/^xterm-/, "");
}

/** Whether the terminal knows kitty's graphics protocol: one pixel is offered, and not kept. A terminal that does not know it may print it. */
export const askPictures: string = "\u001b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\";
