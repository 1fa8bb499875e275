import type { ResolvedConfig } from "@unroll/config";
import type { ThreadChange } from "@unroll/harness";
import { chooseNamed, listNames, type Named } from "./choose-named.ts";
import type { TerminalCommand } from "./terminal-command.ts";

interface PolicyChoice<Option extends Named> extends Pick<TerminalCommand, "name" | "description"> {
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
export function createPolicyCommand<Option extends Named>(choice: PolicyChoice<Option>): TerminalCommand {
  const { name, description, noun, options } = choice;
  return {
    name,
    description,
    argument: listNames(options),
    timing: "always",
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
      await threads.change(choice.toChange(chosen, thread.config));
      tell(choice.describe(chosen));
    },
  };
}
