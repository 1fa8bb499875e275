import { notify } from "../device/notify.ts";
import type { Talk } from "./talk.ts";

interface Call {
  readonly type: "agent-turn-complete" | "approval-requested";
  readonly message: string;
  /** Whether who sits there may have gone on to something else. */
  readonly isLong: boolean;
}

/** Calls a person who looks elsewhere; the program of `notify` is started in any case. */
export function call(
  { conversation, desk, io }: Pick<Talk, "conversation" | "desk" | "io">,
  { type, message, isLong }: Call,
): void {
  const { terminal, cwd } = conversation.config;
  const { isFocused } = desk.surface.ui;
  const isAway = isFocused === null ? isLong : !isFocused;
  const method = terminal.notificationMethod === "bel" ? "bell" : terminal.notificationMethod;
  notify(
    { type, threadId: conversation.thread.id, message },
    {
      program: terminal.notify,
      method: terminal.notifications && isAway ? method : "off",
      env: io.env,
      cwd,
      send: (sequence) => desk.surface.send(sequence),
    },
  );
}
