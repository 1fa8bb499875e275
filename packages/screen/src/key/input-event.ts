import type { KeyAction } from "./key-actions.ts";

/**
 * An event from the terminal. A key's `name` is the character that it types (`a`, `A`, `é`) or its name with its modifiers, in the
 * order `ctrl+alt+shift+super+`: `enter`, `shift+enter`, `ctrl+r`, `alt+left`, `space`, `backspace`, `escape`, `f5`. `text` is
 * the text that it types, or null.
 */
export type InputEvent =
  | {
      readonly type: "key";
      readonly name: string;
      readonly text: string | null;
      /** Absent: those of the default keymap. */
      readonly actions?: ReadonlySet<KeyAction>;
    }
  /** All of what was pasted, with `\n` between lines. */
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "focus"; readonly isFocused: boolean }
  | TerminalReply;

/** The terminal's reply to a query. */
type TerminalReply =
  /** Its cursor's cell, from 1 (CPR). */
  | { readonly type: "reply.position"; readonly row: number; readonly column: number }
  /** Its background, each channel 0 to 1 (OSC 11). */
  | { readonly type: "reply.background"; readonly red: number; readonly green: number; readonly blue: number }
  /** Device attributes (DA1): every terminal replies, so this query goes last. Attribute 4 is sixel. */
  | { readonly type: "reply.attributes"; readonly attributes: readonly number[] }
  /** Whether it tells Shift+Enter from Enter: by kitty's keyboard protocol, or by xterm's modifyOtherKeys. */
  | { readonly type: "reply.keyboard"; readonly tellsModifiers: boolean }
  /** The terminal's name and version, such as `kitty(0.36.4)` (XTVERSION). */
  | { readonly type: "reply.version"; readonly version: string }
  /** Whether it takes pictures by kitty's graphics protocol (`askPictures`). */
  | { readonly type: "reply.pictures"; readonly isTaken: boolean }
  /** Its colours changed (mode 2031). */
  | { readonly type: "reply.scheme"; readonly scheme: "dark" | "light" };

/** A key that was pressed. */
export type KeyEvent = Extract<InputEvent, { type: "key" }>;
