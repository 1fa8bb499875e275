import { openPrograms, type ProgramPlaces, spawnProgram } from "@unroll/process-tree";
import { showHidden } from "@unroll/text";

export interface NotifyOptions extends ProgramPlaces {
  /** Program and arguments, to which one of JSON is added; empty: none is started. */
  readonly program: readonly string[];
  /** How to notify through the terminal; `off`: not at all. */
  readonly method: "auto" | "osc9" | "osc777" | "bell" | "off";
  /** Sends a control sequence to the terminal. */
  readonly send: (sequence: string) => void;
}

/** A notification for you while you look elsewhere. */
export interface Notification {
  readonly type: "agent-turn-complete" | "approval-requested";
  readonly threadId: string;
  readonly message: string;
}

const shownCharacters = 120;
/** At most this much of a long message is read. */
const readCharacters = 2000;

/** Never throws. */
export function notify(notification: Notification, options: NotifyOptions): void {
  const { program, method, send } = options;
  const text = showHidden(notification.message.slice(0, readCharacters))
    .replaceAll(/[\s;]+/g, " ")
    .slice(0, shownCharacters);
  if (method !== "off") send(toSequence(text, method, options.env));
  const [command, ...args] = program;
  if (command === undefined) return;
  const { type, threadId, message } = notification;
  const payload = JSON.stringify({ type, "thread-id": threadId, cwd: options.cwd, "last-assistant-message": message });
  const { find, environment } = openPrograms(options);
  const found = find(command);
  if (found.type === "missing") return;
  const child = spawnProgram(found.file, [...args, payload], {
    stdio: "ignore",
    detached: true,
    cwd: options.cwd,
    env: environment,
  });
  child.on("error", () => {});
  child.unref();
}

function toSequence(text: string, method: NotifyOptions["method"], env: NotifyOptions["env"]): string {
  switch (method) {
    case "osc9":
      return `\u001b]9;${text}\u0007`;
    case "osc777":
      return `\u001b]777;notify;unroll;${text}\u0007`;
    case "auto":
      return knowsOsc9(env) ? `\u001b]9;${text}\u0007` : "\u0007";
    case "bell":
      return "\u0007";
    case "off":
      return "";
  }
}

/** Other terminals would ignore it, or show it as text. */
function knowsOsc9({
  TERM_PROGRAM: program = "",
  TERM: term = "",
  WT_SESSION: windows,
  TMUX: tmux,
}: NotifyOptions["env"]): boolean {
  if (tmux) return false;
  return /^(?:iTerm\.app|WezTerm|ghostty)$/.test(program) || /kitty|ghostty/.test(term) || Boolean(windows);
}
