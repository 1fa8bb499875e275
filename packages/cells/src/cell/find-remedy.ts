import type { TurnError } from "@unroll/protocol";

/** What the person can do in this program, where the message cannot know it; null: the message says it. */
export function findRemedy({ code }: TurnError): string | null {
  return Object.hasOwn(remedies, code) ? (remedies[code] ?? null) : null;
}

const remedies: Readonly<Record<string, string>> = {
  interrupted: "Say what to do instead, or that it shall go on.",
  context_length_exceeded: "/compact shortens the conversation, /new begins another one.",
  budget_exhausted: "/status shows the limits; another message begins a turn with a budget of its own.",
  journal_failed:
    "Your message is in the history (Up). Make room, or CODEX_HOME another place; unroll --ephemeral goes on without keeping anything.",
  repeated_calls: "Say what it should try instead; /rewind goes back to an earlier message.",
  connection_failed: "The conversation is kept: send the message again when the network is back.",
  stream_cut: "The conversation is kept: ask it to go on.",
  insufficient_quota: "The conversation is kept: unroll resume -c model_provider=NAME goes on with another provider.",
  usage_limit_reached: "/model takes another model.",
};
