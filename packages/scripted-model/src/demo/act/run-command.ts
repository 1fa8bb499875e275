import type { TurnItem } from "../../script/turn.ts";
import { quoteOutput } from "../quote-output.ts";
import type { Scene } from "../scene.ts";

/** Runs a command and tells how it ended. */
export function runCommand({ exchanges, tools }: Scene, command: string): readonly TurnItem[] {
  if (!tools.run) return [{ text: "I have no tool that runs commands here." }];
  const ran = exchanges.find(({ subject }) => subject === command);
  if (!ran) return [tools.run(command)];
  const ending = ran.exitCode === null ? "did not run. What I got instead:" : `ended with exit code ${ran.exitCode}.`;
  return [{ text: `\`${command}\` ${ending}\n\n${quoteOutput(ran.output)}` }];
}
