import type { AvailableCommand, ContentBlock } from "@agentclientprotocol/sdk";
import type { ResolvedConfig } from "@unroll/config";
import type { HostEnvironment } from "@unroll/harness";
import { fillPrompt, readInitTask, readPromptFiles } from "@unroll/program";
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
  readonly name: string;
  readonly description: string;
  /** Null: it takes nothing. */
  readonly hint: string | null;
  read(argument: string): Promise<Wish>;
}

type Place = Pick<HostEnvironment, "homeDirectory">;

const shownCharacters = 100;

/** Those of the program, the person's prompts, and the skills that the model has here. */
async function listCommands(config: ResolvedConfig, host: Place): Promise<readonly SlashCommand[]> {
  const { surveyConfigSkills } = await import("@unroll/harness");
  const [prompts, { skills }] = await Promise.all([
    readPromptFiles(config.codexHome),
    surveyConfigSkills(config, host),
  ]);
  return [
    {
      name: "compact",
      description: "shorten the conversation: a summary takes the place of what is old",
      hint: "what the summary is to dwell on",
      read: async (argument) => ({ type: "compact", focus: argument === "" ? null : argument }),
    },
    {
      name: "init",
      description: "have an AGENTS.md written for this project, or mended",
      hint: null,
      read: async () => ({ type: "say", text: (await readInitTask(config)).text }),
    },
    ...prompts.map(({ name, description, argumentHint: hint, body }): SlashCommand => ({
      name,
      description,
      hint,
      read: async (argument) => toPromptWish(body, argument),
    })),
    ...skills.flatMap(({ skill: { name, description }, isEnabled }): SlashCommand[] => {
      const read = async (argument: string): Promise<Wish> => ({ type: "say", text: `$${name} ${argument}`.trim() });
      const shown = shortenText(description, shownCharacters);
      return isEnabled ? [{ name: `skills:${name}`, description: shown, hint: "what to do with it", read }] : [];
    }),
  ];
}

function toPromptWish(body: string, argument: string): Wish {
  const filled = fillPrompt(body, argument);
  if (filled.type === "filled") return { type: "say", text: filled.text };
  return { type: "told", text: `This prompt needs ${filled.names.map((name) => `${name}=…`).join(" ")}.` };
}

/** What a client may offer behind a slash. */
export async function listAvailableCommands(config: ResolvedConfig, host: Place): Promise<AvailableCommand[]> {
  const commands = await listCommands(config, host);
  return commands.map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint === null ? {} : { input: { hint } }),
  }));
}

/** Null: the prompt begins with no command, and is said as it is. */
export async function readWish(
  [first]: readonly ContentBlock[],
  config: ResolvedConfig,
  host: Place,
): Promise<Wish | null> {
  const [, name = null, argument = ""] =
    /^\/([^\s/]+)(?:\s+(.*))?$/s.exec(first?.type === "text" ? first.text : "") ?? [];
  if (name === null) return null;
  const command = (await listCommands(config, host)).find((each) => each.name === name);
  return command === undefined ? null : command.read(argument.trim());
}
