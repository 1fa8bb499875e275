import type { ItemAuthor, MessageItem } from "@unroll/protocol";

const tags: Readonly<Record<string, string>> = {
  conversation_summary: "summary",
  skill: "skill",
  turn_interrupted: "turn_interrupted",
  repeated_calls: "repeated_calls",
  answer_refused: "answer_refused",
  answer_cut: "answer_cut",
};

/** The author of a message from unroll 0.1, if its form differs from the Codex CLI's; else null. */
export function readOldAuthor({ role, content }: MessageItem): ItemAuthor | null {
  const [first, second] = content;
  if (role !== "user" || first?.type !== "input_text") return readTagged(content);
  if (first.text.startsWith("<user_instructions>\n# Skills for ")) return { type: "harness", fragment: "skill_list" };
  const isViewed = content.length === 2 && second?.type === "input_image" && /^The image .*:$/s.test(first.text);
  return isViewed ? { type: "tool" } : (readTagged(content) ?? readImages(content));
}

function readTagged(content: MessageItem["content"]): ItemAuthor | null {
  const [first] = content;
  if (content.length !== 1 || first?.type !== "input_text") return null;
  const [, tag = ""] = /^<([a-z_]+)>\n?.*<\/\1>\s*$/s.exec(first.text) ?? [];
  const fragment = tags[tag];
  return fragment === undefined ? null : { type: "harness", fragment };
}

/**
 * Your message with images: each image is between two texts that number it. Plan mode's instructions may follow your
 * text in the same message.
 */
function readImages(content: MessageItem["content"]): ItemAuthor | null {
  if (!content.some(({ type }) => type === "input_image")) return null;
  const parts = content.flatMap((part, index) => {
    const isMark = part.type === "input_text" && /^(?:<image name=\[Image #\d+\]>|<\/image>)$/.test(part.text);
    return isMark || (part.type === "input_text" && /^<[a-z_]+>/.test(part.text)) ? [] : [index];
  });
  return { type: "user", parts };
}
