import { checkShape } from "@unroll/text";
import { type ContentPart, type MessageItem, type UserInput, type UserInputPart, withAuthor } from "@unroll/protocol";
import type { FileSearch, PromptFiles } from "./prompt-files.ts";
import { findMentions, loadSkill, toSkillItem } from "./mentioned-skills.ts";
import type { Skill } from "./skill/skill.ts";

/** A user's message as items of the transcript. */
export interface UserItems {
  /** The message, then one item for each skill that it mentions. Empty for empty input. */
  readonly items: readonly MessageItem[];
  /** For the person: mentioned skills that could not be loaded, or not whole. */
  readonly warnings: readonly string[];
}

/**
 * Makes the items of what a person sends. Text is never cut, and changed only if it is not valid Unicode. Each image
 * stands between two texts that number it, so that it can be spoken of. `$name` of a skill brings in the text of its
 * SKILL.md, as it is on disk now: at most 80 KiB a skill.
 */
export async function toUserItems(input: UserInput, skills: readonly Skill[], files: PromptFiles): Promise<UserItems> {
  checkShape("toUserItems", { skills, files }, { skills: "a list", "files.read": "a function" });
  const parts = typeof input === "string" ? [{ type: "text", text: input } as const] : input;
  const content = toContent(parts.filter((part) => part.type === "image" || part.text !== ""));
  if (content.length === 0) return { items: [], warnings: [] };
  const own = content.flatMap(({ isOwn }, index) => (isOwn ? [index] : []));
  const isAgents = parts.some((part) => part.type === "text" && part.from === "agent");
  const author = { type: "user", parts: own, ...(isAgents && { from: "agent" as const }) } as const;
  const message = withAuthor({ type: "message", role: "user", content: content.map(({ part }) => part) }, author);
  const warnings: string[] = [];
  const search: FileSearch = { files, warn: (warning) => warnings.push(warning) };
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const skillItems = await loadSkills(search, findMentions(text, skills));
  return { items: [message, ...skillItems], warnings };
}

interface WrittenPart {
  readonly part: ContentPart;
  /** Whether it is what the person said. */
  readonly isOwn: boolean;
}

function toContent(parts: readonly UserInputPart[]): readonly WrittenPart[] {
  let images = 0;
  return parts.flatMap((part): readonly WrittenPart[] => {
    if (part.type === "text") return [{ part: inputText(part.text), isOwn: part.isAdded !== true }];
    images += 1;
    return [
      { part: inputText(`<image name=[Image #${images}]>`), isOwn: false },
      { part: { type: "input_image", image_url: part.dataUrl }, isOwn: true },
      { part: inputText("</image>"), isOwn: false },
    ];
  });
}

function inputText(text: string): ContentPart {
  return { type: "input_text", text: text.toWellFormed() };
}

async function loadSkills(search: FileSearch, skills: readonly Skill[]): Promise<readonly MessageItem[]> {
  const items: MessageItem[] = [];
  for (const skill of skills) {
    const body = await loadSkill(search, skill);
    if (body !== null) items.push(toSkillItem(skill, body));
  }
  return items;
}
