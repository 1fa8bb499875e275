import { describeLogout, loginLimits } from "@unroll/program";
import type { TerminalCommand } from "../terminal-command.ts";

export const logoutCommand: TerminalCommand = {
  name: "logout",
  description: "forget the login, and leave",
  argument: null,
  timing: "between_turns",
  async run({ conversation, host, signal, tell, leave }) {
    const { openLogin } = await import("@unroll/harness");
    const login = await openLogin(conversation.config, host);
    const outcome = await login.logOut(AbortSignal.any([signal, AbortSignal.timeout(loginLimits.revocationMs)]));
    for (const notice of outcome.notices) tell(notice);
    tell(describeLogout(outcome));
    if (outcome.type === "logged_out") leave();
  },
};
