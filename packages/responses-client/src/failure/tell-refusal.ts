import type { Refusal } from "@unroll/protocol";

/** The code of ours for what a server refused; null: its own code says it. */
export function nameRefusal(refusal: Refusal | null): string | null {
  if (refusal?.type === "overflow") return "context_length_exceeded";
  return refusal?.type === "content" ? "content_refused" : null;
}

/** What there is to do about it, as a sentence; empty: the harness sees to it, or the server's words say it. */
export function adviseOnRefusal(refusal: Refusal): string {
  if (refusal.type !== "content") return "";
  switch (refusal.kind) {
    case "image":
      return "The conversation holds an image, and this server takes none.";
    case "arguments":
      return "The conversation holds a tool call whose arguments are not valid JSON, and this server reads them.";
    case "template":
      return "The chat template of the model cannot render this conversation.";
  }
}
