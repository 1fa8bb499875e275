import type { TerminalCommand } from "../terminal-command.ts";

export const logoutCommand: TerminalCommand = {
  name: "logout",
  description: "delete the stored login and quit",
  argument: null,
  timing: "between_turns",
  async run({ thread, host, signal, tell, leave }) {
    const { logOut } = await import("@unroll/use-cases/login");
    const { describeLogout } = await import("@unroll/report");
    const outcome = await logOut({ config: thread.config, host, signal });
    for (const notice of outcome.notices) tell(notice);
    tell(describeLogout(outcome));
    if (outcome.type === "logged_out") leave();
  },
};
