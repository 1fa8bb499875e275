import type { AvailableCommand, ContentBlock } from "@agentclientprotocol/sdk/unstable";
import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "@unroll/harness";
import { fillPrompt, readInitTask, readPromptFiles } from "@unroll/use-cases/prompts";
import { shortenText } from "@unroll/text";

/** What a person typed behind a slash comes to. */
export type Wish =
  | { readonly type: "compact"; readonly focus: string | null }
  /** To be said in the place of what was typed. */
  | { readonly type: "say"; readonly text: string }
  /** Nothing is asked of the model; the person is told this. */
  | { readonly type: "told"; readonly text: string };

/** A command with what it comes to. */
interface SlashCommand {
  /** What is told of it. */
  readonly shown: AvailableCommand;
  read(argument: string): Wish | Promise<Wish>;
}

/** A session, as far as commands go by it. */
interface Place {
  readonly config: ResolvedConfig;
  readonly host: Pick<Host, "homeDirectory">;
}

const shownCharacters = 100;

/** Those of the program, the person's prompts, and the skills that the model has here. */
async function listCommands({ config, host }: Place): Promise<readonly SlashCommand[]> {
  const { readSkills } = await import("@unroll/use-cases/skills");
  const prompts = await readPromptFiles(config.codexHome);
  const { skills } = await readSkills(config, host);
  const compact = "shorten the conversation: a summary takes the place of what is old";
  return [
    {
      shown: { name: "compact", description: compact, input: { hint: "what the summary is to dwell on" } },
      read: (argument) => ({ type: "compact", focus: argument === "" ? null : argument }),
    },
    {
      shown: { name: "init", description: "have an AGENTS.md written for this project, or mended" },
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
}

function toPromptWish(body: string, argument: string): Wish {
  const filled = fillPrompt(body, argument);
  if (filled.type === "filled") return { type: "say", text: filled.text };
  return { type: "told", text: `This prompt needs ${filled.names.map((name) => `${name}=…`).join(" ")}.` };
}

/** What a client may offer behind a slash. */
export async function listAvailableCommands(place: Place): Promise<AvailableCommand[]> {
  return (await listCommands(place)).map(({ shown }) => shown);
}

/** Null: the prompt begins with no command, and is said as it is. */
export async function readWish([first]: readonly ContentBlock[], place: Place): Promise<Wish | null> {
  const typed = first?.type === "text" ? first.text : "";
  const [, name = null, argument = ""] = /^\/([^\s/]+)(?:\s+(.*))?$/s.exec(typed) ?? [];
  if (name === null) return null;
  const command = (await listCommands(place)).find(({ shown }) => shown.name === name);
  return command?.read(argument.trim()) ?? null;
}
