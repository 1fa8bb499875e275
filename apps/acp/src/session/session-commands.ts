import type { AvailableCommand, ContentBlock } from "@agentclientprotocol/sdk/unstable";
import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "@unroll/harness";
import { fillPrompt, readInitTask, readPromptFiles } from "@unroll/use-cases/prompts";
import { shortenText } from "@unroll/text";

/** The meaning of a slash command. */
export type Wish =
  | { readonly type: "compact"; readonly focus: string | null }
  /** Sent in place of the command. */
  | { readonly type: "say"; readonly text: string }
  /** Shown to you; the model gets nothing. */
  | { readonly type: "told"; readonly text: string };

/** A slash command. */
interface SlashCommand {
  /** As the editor lists it. */
  readonly shown: AvailableCommand;
  read(argument: string): Wish | Promise<Wish>;
}

/** The parts of a session that its commands use. */
interface Place {
  readonly config: ResolvedConfig;
  readonly host: Pick<Host, "homeDirectory">;
}

const shownCharacters = 100;

/** Commands, and a sentence for each prompt file that was refused. */
interface ListedCommands<Command> {
  readonly commands: readonly Command[];
  readonly warnings: readonly string[];
}

/** The commands of the program, your prompts, and the skills of the model. */
async function listCommands({ config, host }: Place): Promise<ListedCommands<SlashCommand>> {
  const { readSkills } = await import("@unroll/use-cases/skills");
  const { prompts, warnings } = await readPromptFiles(config);
  const { skills } = await readSkills(config, host);
  const compact = "compact the thread: a summary replaces old items";
  const commands: readonly SlashCommand[] = [
    {
      shown: { name: "compact", description: compact, input: { hint: "what the summary should focus on" } },
      read: (argument) => ({ type: "compact", focus: argument === "" ? null : argument }),
    },
    {
      shown: { name: "init", description: "write or improve the AGENTS.md of this project" },
      read: async () => ({ type: "say", text: (await readInitTask(config)).text }),
    },
    ...prompts.map(({ name, description, argumentHint: hint, body }): SlashCommand => ({
      shown: { name, description, ...(hint === null ? {} : { input: { hint } }) },
      read: (argument) => toPromptWish(body, argument),
    })),
    ...skills.flatMap(({ skill: { name, description: said }, isEnabled }): SlashCommand[] => {
      const description = shortenText(said, shownCharacters);
      const shown = { name: `skills:${name}`, description, input: { hint: "what to do with it" } };
      return isEnabled ? [{ shown, read: (argument) => ({ type: "say", text: `$${name} ${argument}` }) }] : [];
    }),
  ];
  return { commands, warnings };
}

function toPromptWish(body: string, argument: string): Wish {
  const filled = fillPrompt(body, argument);
  if (filled.type === "filled") return { type: "say", text: filled.text };
  return { type: "told", text: `This prompt needs ${filled.names.map((name) => `${name}=…`).join(" ")}.` };
}

/** The commands that the editor can offer. */
export async function listAvailableCommands(place: Place): Promise<ListedCommands<AvailableCommand>> {
  const { commands, warnings } = await listCommands(place);
  return { commands: commands.map(({ shown }) => shown), warnings };
}

/** Null: the prompt is not a command, and is sent as it is. */
export async function readWish([first]: readonly ContentBlock[], place: Place): Promise<Wish | null> {
  const typed = first?.type === "text" ? first.text : "";
  const [, name = null, argument = ""] = /^\/([^\s/]+)(?:\s+(.*))?$/s.exec(typed) ?? [];
  if (name === null) return null;
  const command = (await listCommands(place)).commands.find(({ shown }) => shown.name === name);
  return command?.read(argument.trim()) ?? null;
}
