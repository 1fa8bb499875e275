import type { RefusedParts } from "@unroll/config";
import type { ServerFeature } from "@unroll/protocol";
import { groupDigits } from "@unroll/text";
import type { RefusalNote } from "./thread-server.ts";

interface FeatureWords {
  /** How requests continue. */
  readonly way: string;
  /** One clause: why the thread begins a new epoch. Empty: it does not. */
  readonly cause: string;
}

const words: Readonly<Record<ServerFeature, FeatureWords>> = {
  anyItems: {
    way: "with messages and functions alone",
    cause: "the server does not take items of all kinds",
  },
  compaction: { way: "without compaction by the server", cause: "" },
  customTools: { way: "with functions alone for tools", cause: "the server takes no tools but functions" },
  developerMessages: { way: "with one system text", cause: "the server takes one system text, at the beginning" },
  encryptedReasoning: { way: "without encrypted reasoning", cause: "" },
  images: { way: "with a line of text for each image", cause: "the server refused an image" },
  promptCacheKey: { way: "without a prompt cache key", cause: "" },
  reasoningItems: { way: "without the model's earlier reasoning", cause: "the server takes no reasoning back" },
  reasoningSummaries: { way: "without reasoning summaries", cause: "" },
  repeatedRoles: { way: "with user and assistant in turn", cause: "the server wants user and assistant in turn" },
  store: { way: "without the member store", cause: "" },
  webSearch: { way: "without web search", cause: "the server has no web search" },
};

/** One clause; empty: everything before a request's end stays unchanged. */
export function toCause({ features }: RefusedParts): string {
  return joinWords(features.map((feature) => words[feature].cause).filter((cause) => cause !== ""));
}

export interface ToldChange {
  readonly refused: RefusedParts;
  /** The server's message. */
  readonly message: string;
  /** Which items it may be about; empty: that is not known. */
  readonly suspects: string;
  readonly model: string;
  readonly note: RefusalNote;
  /** Tokens that were in the server's cache, and are resent; null: none were. */
  readonly tokens: number | null;
}

/** The warning before a request is repeated. */
export function toWarning({ refused, message, suspects, model, note, tokens }: ToldChange): string {
  const { features, members } = refused;
  const ways = [
    ...features.map((feature) => words[feature].way),
    ...members.map(({ path }) => `without the member ${path}`),
  ];
  const cost = tokens === null ? "" : ` The whole thread is resent uncached, about ${groupDigits(tokens)} tokens.`;
  const texts = [message, suspects, `Retrying ${joinWords(ways)}.${cost}`, describeNote(note, model)];
  return texts.filter((text) => text !== "").join(" ");
}

function describeNote(note: RefusalNote, model: string): string {
  switch (note.type) {
    case "kept":
      return `New threads with ${model} do the same, until you run \`unroll models --refresh\`.`;
    case "unkept":
      return `New threads will try it again, because a note of it could not be saved: ${note.reason}.`;
    case "untold":
      return "";
  }
}

/** Advice for the user if nothing can be changed that the server would accept. */
export function toAdvice(threadId: string): string {
  return `Every further request of this thread would fail the same way. Leave the last turns out (\`unroll fork ${threadId} --at TURNS\`), or run \`unroll threads repair ${threadId}\`.`;
}

function joinWords(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}
