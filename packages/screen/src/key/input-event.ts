/**
 * What comes from the terminal. A key's `name` is what it types (`a`, `A`, `é`) or its name with what was held, in the order
 * `ctrl+alt+shift+super+`: `enter`, `shift+enter`, `ctrl+r`, `alt+left`, `space`, `backspace`, `escape`, `f5`. `text` is what it
 * types, or null for keys that type nothing.
 */
export type InputEvent =
  | { readonly type: "key"; readonly name: string; readonly text: string | null }
  /** All of what was pasted, with `\n` between lines. */
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "focus"; readonly isFocused: boolean }
  | TerminalReply;

/** What the terminal answers to what it was asked. */
type TerminalReply =
  /** Its cursor's cell, from 1 (CPR). */
  | { readonly type: "reply.position"; readonly row: number; readonly column: number }
  /** Its background, each channel 0 to 1 (OSC 11). */
  | { readonly type: "reply.background"; readonly red: number; readonly green: number; readonly blue: number }
  /** What it is (DA1): every terminal answers, so it ends a list of questions. 4 among them is sixel. */
  | { readonly type: "reply.attributes"; readonly attributes: readonly number[] }
  /** It speaks kitty's keyboard protocol, with these flags on. */
  | { readonly type: "reply.keyboard"; readonly flags: number }
  /** What it calls itself, as `kitty(0.36.4)` (XTVERSION). */
  | { readonly type: "reply.version"; readonly version: string }
  /** Whether it takes pictures by kitty's graphics protocol (`askPictures`). */
  | { readonly type: "reply.pictures"; readonly isTaken: boolean }
  /** Its colours changed (mode 2031). */
  | { readonly type: "reply.scheme"; readonly scheme: "dark" | "light" };

/** A key that was pressed. */
export type KeyEvent = Extract<InputEvent, { type: "key" }>;
