import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";

/** Text of a call, as Markdown. */
export function toTextContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

/** Text that Markdown leaves as it is: in a fence that is longer than any that it holds. */
export function toFencedText(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}
