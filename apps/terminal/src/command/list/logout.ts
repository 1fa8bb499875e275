import type { TerminalCommand } from "../terminal-command.ts";

/** How long the server may take to end the login, in ms. */
const revocationMs = 10_000;

export const logoutCommand: TerminalCommand = {
  name: "logout",
  description: "forget the login, and leave",
  argument: null,
  timing: "between_turns",
  async run({ conversation, host, signal, tell, leave }) {
    const { openLogin } = await import("@unroll/harness");
    const login = await openLogin(conversation.config, host);
    const outcome = await login.logOut(AbortSignal.any([signal, AbortSignal.timeout(revocationMs)]));
    for (const notice of outcome.notices) tell(notice);
    if (outcome.type === "not_logged_in") return tell("Nobody was logged in.");
    tell(
      `Logged out.${outcome.isRevoked === false ? " Its server was not told: it offers no way, or could not be reached." : ""}`,
    );
    leave();
  },
};
