import { serveHostile, answerJson } from "@unroll/mcp/fixture/serve-hostile";
import type { CapturedRequest } from "@unroll/scripted-model";
import fc from "fast-check";
import { expect, test } from "vitest";
import { asksForNotes } from "./compaction-world.ts";
import { type PlayedThread, playThread } from "./random/play-thread.ts";
import { randomAct } from "./random/random-acts.ts";

/** `UNROLL_PROPERTY_RUNS=500` looks longer. */
const runs = Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 4);

test("whatever happens to a thread, each broken prefix was announced with its cause, and nothing is reported twice", async () => {
  const serverUrl = await serveHostile((request, response) =>
    answerJson(response, request.id, { content: [{ type: "text", text: "It." }] }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(randomAct, { minLength: 3, maxLength: 12 }), async (acts) => {
      const played = await playThread(acts, serverUrl);
      expect(listBreaks(played)).toEqual([]);
      expect(listWrongWords(played)).toEqual([]);
      expect(played.violations).toEqual([]);
      expect([...played.resent]).toEqual([]);
      // a summary takes what stood between two that say the same
      const isSummedUp = played.events.some(({ type }) => type === "compaction.completed");
      for (const request of played.requests) {
        const { input } = request;
        expect(isSummedUp ? [] : listRepeated(input)).toEqual([]);
        // permissions and environment, as they were sent first; a request for a summary that is too long goes without
        const isShortened = asksForNotes(request) && JSON.stringify(input[0]).includes("is left out");
        const first = played.requests[0]?.input.slice(0, 2);
        expect(isShortened ? first : input.slice(0, 2)).toEqual(first);
      }
    }),
    { numRuns: runs },
  );
}, 600_000);

/** Requests that do not repeat, byte for byte, the one of the turns before them, where nobody said so. */
function listBreaks({ requests, announced, refused }: PlayedThread): readonly string[] {
  const breaks: string[] = [];
  let before: Buffer = Buffer.of();
  let isAnnounced = false;
  for (const request of requests) {
    isAnnounced ||= announced.has(request.index);
    const prefix = toPrefix(request);
    const isNotes = asksForNotes(request);
    // what a server refused to sum up is asked for in another way
    const isFree = isAnnounced || (isNotes && refused.has(request.index - 1));
    if (!isFree && !prefix.subarray(0, before.length).equals(before)) breaks.push(`request ${request.index}`);
    if (isNotes) continue;
    before = prefix;
    isAnnounced = false;
  }
  return breaks;
}

/** All that the next request of a thread repeats. */
function toPrefix({ raw }: CapturedRequest): Buffer {
  return raw.subarray(0, raw.lastIndexOf('],"reasoning"'));
}

const causes =
  /^(?:you requested it|it has reached its limit of [\d,]+ tokens|the last compaction was undone|the model's server says that it is too long|the (?:model|tools) (?:was|were) changed\b.*|the server can no longer read .*)$/;

/** Wrong statements about the cache. */
function listWrongWords({ requests, events }: PlayedThread): readonly unknown[] {
  const ends = new Set(requests.map((request) => toPrefix(request).length));
  return events.filter((event) => {
    if (event.type === "epoch.opened") return !causes.test(event.cause);
    if (event.type === "warning") return event.message.includes("cache does not hold");
    if (event.type === "turn.failed") return /internal|guard_failed/.test(event.error.code);
    if (event.type !== "request.completed") return false;
    const { prefix_bytes, shared_bytes, miss } = event.cache;
    const isUnknown = miss?.type === "history_changed" || miss?.type === "other_program";
    return isUnknown || !ends.has(prefix_bytes) || shared_bytes > prefix_bytes;
  });
}

const kinds = [
  /<environment_context>/,
  /<permissions instructions>/,
  /^<user_instructions>\n# AGENTS/,
  /^<user_instructions>\n# Skills/,
  /developer instructions (?:have changed|any more)/,
];

/** Messages of a kind that say what the one of the same kind before them said. */
function listRepeated(input: CapturedRequest["input"]): readonly string[] {
  const texts = input.flatMap(({ type, role, content }) =>
    type === "message" && role !== "assistant" && Array.isArray(content)
      ? [content.map((part: { readonly text?: string }) => part.text ?? "").join("")]
      : [],
  );
  return kinds.flatMap((kind) => {
    const told = texts.filter((each) => kind.test(each));
    return told.filter((each, index) => index > 0 && each === told[index - 1]);
  });
}
