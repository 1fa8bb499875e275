import { shortenText } from "@unroll/text";
import { toOneLine } from "../../text/to-one-line.ts";
import { tellUsageBeside } from "../tell-usage-beside.ts";
import type { TerminalCommand } from "../terminal-command.ts";

/** The length of the question above the answer. */
const shownCharacters = 60;

export const btwCommand: TerminalCommand = {
  name: "btw",
  description: "ask a side question; nothing of it stays in the thread",
  argument: "QUESTION",
  timing: "always",
  async run(context, question) {
    const { thread, runBeside, tell, show } = context;
    if (question === "") return tell("Write your question after /btw.");
    const outcome = await runBeside((stop) => thread.askAside(question, stop));
    if (outcome.type === "completed") {
      tell(`Side answer to "${shortenText(toOneLine(question), shownCharacters)}":`);
      show(outcome.finalMessage ?? "(no answer)");
    }
    tellUsageBeside(context, "side question", outcome.usage);
  },
};
