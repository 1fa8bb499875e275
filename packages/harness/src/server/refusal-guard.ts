import type { StepGuard } from "@unroll/core";
import type { ModelError, ServerFeature } from "@unroll/protocol";
import { readRefusal } from "./read-refusal.ts";
import type { ThreadRequests } from "./thread-requests.ts";
import type { RefusalNote, ThreadServer } from "./thread-server.ts";

export interface RefusalGuardOptions {
  readonly model: string;
  readonly server: ThreadServer;
  readonly requests: Pick<ThreadRequests, "leaveOut">;
}

/** Answers a server that refuses a feature: the request goes out again without it, and new threads leave it out from the start. */
export function createRefusalGuard({ model, server, requests }: RefusalGuardOptions): StepGuard {
  return {
    async *before({ failure }) {
      const feature = failure && readRefusal(failure);
      if (failure === null || feature === null || !server.takes[feature]) return { type: "go" };
      const note = await server.refuse(feature);
      if (feature === "encryptedReasoning") requests.leaveOut("include");
      yield { type: "warning", message: toWarning({ model, feature, failure, note }) };
      return { type: "resend" };
    },
  };
}

interface Refused {
  readonly model: string;
  readonly feature: ServerFeature;
  readonly failure: ModelError;
  readonly note: RefusalNote;
}

/** What each feature is called in messages. */
const featureNames: Readonly<Record<ServerFeature, string>> = {
  anyItems: "items of all kinds",
  developerMessages: "developer messages",
  reasoningItems: "reasoning among the items",
  repeatedRoles: "two messages of one role in a row",
  compaction: "compaction by the server",
  customTools: "freeform tools",
  encryptedReasoning: "encrypted reasoning",
  images: "images",
  promptCacheKey: "a prompt cache key",
  reasoningSummaries: "reasoning summaries",
  store: "the member store",
  webSearch: "web search",
};

function toWarning({ model, feature, failure, note }: Refused): string {
  const next =
    note.type === "kept"
      ? `New threads with ${model} leave it out, too, until you run \`unroll models --refresh\`.`
      : `New threads will try it again, because a note of it could not be saved: ${note.reason}.`;
  return `${failure.message} Retrying without ${featureNames[feature]}. ${next}`;
}
