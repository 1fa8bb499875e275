import type { ResolvedConfig } from "@unroll/config";
import type { ThreadChange } from "@unroll/harness";
import { chooseNamed, listNames } from "./choose-named.ts";
import type { ArgumentChoice, Consent, TerminalCommand } from "./terminal-command.ts";

interface PolicyChoice<Option extends ArgumentChoice> extends Pick<TerminalCommand, "name" | "description"> {
  readonly noun: string;
  readonly options: readonly Option[];
  /** The title of the question. */
  readonly describeNow: (config: ResolvedConfig) => string;
  /** The value in force; null: none of the options. */
  readonly readNow: (config: ResolvedConfig) => string | null;
  readonly toChange: (chosen: Option, config: ResolvedConfig) => ThreadChange;
  /** Says what holds now. */
  readonly describe: (chosen: Option) => string;
}

/** A command that changes what the model may do. Plan mode, which only reads, does not let you. */
export function createPolicyCommand<Option extends ArgumentChoice>(choice: PolicyChoice<Option>): TerminalCommand {
  const { name, description, noun, options } = choice;
  return {
    name,
    description,
    argument: listNames(options),
    choices: () => options,
    timing: "always",
    isHarmless: true,
    async run(context, argument) {
      const { thread, threads, tell } = context;
      if (thread.isPlanning) return tell("You cannot change this in plan mode. Leave it with /plan off first.");
      const title = choice.describeNow(thread.config);
      const chosen = await chooseNamed(context, argument, {
        title,
        noun,
        options,
        current: choice.readNow(thread.config),
      });
      if (chosen === null) return;
      const change = choice.toChange(chosen, thread.config);
      if (opensSandbox(change, thread.config) && !(await context.confirm(fullAccess)))
        return tell("Nothing was changed.");
      await threads.change(change);
      tell(choice.describe(chosen));
    },
  };
}

function opensSandbox({ sandboxSettings }: ThreadChange, now: ResolvedConfig): boolean {
  return sandboxSettings?.mode === "danger-full-access" && now.sandboxSettings.mode !== "danger-full-access";
}

/** The question before the sandbox is turned off. */
export const fullAccess: Consent = {
  title: "Turn the sandbox off?",
  facts: [
    "Commands can then do everything that you can: change and delete any of your files, use the network, and use your logins.",
  ],
};
