import { notify } from "../device/notify.ts";
import type { App } from "./app.ts";

interface Notice {
  readonly type: "agent-turn-complete" | "approval-requested";
  readonly message: string;
  /** Whether you may have gone on to something else. */
  readonly isLong: boolean;
}

/** Tells you, who look elsewhere; the program of `notify` is started in any case. */
export function notifyPerson(
  { conversation, driver, io }: Pick<App, "conversation" | "driver" | "io">,
  { type, message, isLong }: Notice,
): void {
  const { terminal, cwd } = conversation.config;
  const { live } = driver;
  const isFocused = live?.isFocused ?? null;
  const isAway = isFocused === null ? isLong : !isFocused;
  const method = terminal.notificationMethod === "bel" ? "bell" : terminal.notificationMethod;
  notify(
    { type, threadId: conversation.thread.id, message },
    {
      program: terminal.notify,
      method: live !== null && terminal.notifications && isAway ? method : "off",
      env: io.env,
      cwd,
      send: (sequence) => live?.send(sequence),
    },
  );
}
