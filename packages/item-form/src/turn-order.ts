import type { SentItem } from "@unroll/protocol";
import { toKind } from "./wire/lower-item.ts";
import type { WireKind } from "./wire/wire-item.ts";

/** Where an item may stand: by itself, as more of the message before it, or behind a line of the assistant. */
type Place = "alone" | "joined" | "behind_line";

/**
 * Follows a thread as the chat templates of some models count it: user and assistant take turns,
 * beginning with the user. Consecutive texts and calls of the assistant are one message; a message
 * with calls does not count, and neither do outputs (Mistral's template).
 */
export interface TurnOrder {
  place(kind: WireKind): Place;
  /** The present items were sent: nothing may be joined to them any more. */
  seal(): void;
}

export function createTurnOrder(): TurnOrder {
  /** The last role that counts. */
  let counted: "user" | "assistant" | null = null;
  /** The assistant's present message. */
  let answer: { hasCalls: boolean } | null = null;
  /** The role of the last message, if it was not sent yet. */
  let open: "user" | "assistant" | null = null;

  function endAnswer(): void {
    if (answer?.hasCalls === false) counted = "assistant";
    answer = null;
  }

  function placeUser(): Place {
    endAnswer();
    if (counted === "user" && open === "user") return "joined";
    const place = counted === "user" ? "behind_line" : "alone";
    counted = open = "user";
    return place;
  }

  function placeAnswer(kind: "assistant" | "reasoning" | "call"): Place {
    answer ??= { hasCalls: false };
    answer.hasCalls ||= kind === "call";
    if (kind === "assistant" && open === "assistant") return "joined";
    open = kind === "assistant" ? "assistant" : null;
    return "alone";
  }

  return {
    place(kind) {
      switch (kind) {
        case "user":
          return placeUser();
        case "assistant":
        case "reasoning":
        case "call":
          return placeAnswer(kind);
        case "output":
        case "other":
          endAnswer();
          open = null;
          return "alone";
      }
    },
    seal: () => void (open = null),
  };
}

const decoder = new TextDecoder();

/** The kinds of a sent item, for the order of a thread; empty if it only continued a message. */
export function readKinds({ item, bytes, lowered }: SentItem): readonly WireKind[] {
  if (bytes.length === 0 || lowered?.joins === true) return [];
  if (lowered === undefined) return [toKind(item)];
  const wires: unknown = JSON.parse(`[${decoder.decode(bytes)}]`);
  return Array.isArray(wires) ? wires.map(readKind) : [];
}

function readKind(wire: unknown): WireKind {
  if (typeof wire !== "object" || wire === null || !("type" in wire)) return "other";
  const role = "role" in wire ? wire.role : null;
  switch (wire.type) {
    case "message":
      return role === "user" || role === "assistant" ? role : "other";
    case "reasoning":
      return "reasoning";
    case "function_call":
    case "custom_tool_call":
      return "call";
    case "function_call_output":
    case "custom_tool_call_output":
      return "output";
    default:
      return "other";
  }
}
