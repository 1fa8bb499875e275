import { toProgramPlaces } from "@unroll/program";
import { notify } from "../device/notify.ts";
import type { App } from "./app.ts";

interface Notice {
  readonly type: "agent-turn-complete" | "approval-requested";
  readonly message: string;
  /** Whether you have waited long enough to look elsewhere. */
  readonly isLong: boolean;
}

/** Notifies you through the terminal if you look elsewhere. The program in `notify` always starts. */
export function notifyPerson(
  { threads, driver, io }: Pick<App, "threads" | "driver" | "io">,
  { type, message, isLong }: Notice,
): void {
  const { id, config } = threads.current;
  const { terminal } = config;
  const { live } = driver;
  const isFocused = live?.isFocused ?? null;
  const isAway = isFocused === null ? isLong : !isFocused;
  const method = terminal.notificationMethod === "bel" ? "bell" : terminal.notificationMethod;
  notify(
    { type, threadId: id, message },
    {
      program: terminal.notify,
      method: live !== null && terminal.notifications && isAway ? method : "off",
      ...toProgramPlaces(config, io),
      send: (sequence) => live?.send(sequence),
    },
  );
}
