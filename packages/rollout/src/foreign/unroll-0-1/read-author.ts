import type { ItemAuthor, MessageItem } from "@unroll/protocol";

const tags: Readonly<Record<string, string>> = {
  conversation_summary: "summary",
  skill: "skill",
  turn_interrupted: "turn_interrupted",
  repeated_calls: "repeated_calls",
  answer_refused: "answer_refused",
  answer_cut: "answer_cut",
};

/** Who wrote a message of a thread that unroll 0.1 kept, as far as it is otherwise than in one of the Codex CLI; null: it is not. */
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

/** Yours with images: each stands between two texts that number it. Plan mode's instructions may stand behind yours in one text. */
function readImages(content: MessageItem["content"]): ItemAuthor | null {
  if (!content.some(({ type }) => type === "input_image")) return null;
  const parts = content.flatMap((part, index) => {
    const isMark = part.type === "input_text" && /^(?:<image name=\[Image #\d+\]>|<\/image>)$/.test(part.text);
    return isMark || (part.type === "input_text" && /^<[a-z_]+>/.test(part.text)) ? [] : [index];
  });
  return { type: "user", parts };
}
