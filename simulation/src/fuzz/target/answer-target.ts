import { createHash } from "node:crypto";
import { checkThinAnswer, recordedAnswers } from "@unroll/responses-client/fixture/answer-law";
import { demand, type FuzzTarget } from "../fuzz-target.ts";

/**
 * A recorded answer from which optional members and events were taken away comes to the same items, as long as one full carrier of
 * each is left. The bytes only choose the answer, and what is taken away.
 */
export function openAnswerTarget(): FuzzTarget {
  return {
    async check(bytes) {
      const chosen = createHash("sha256").update(bytes).digest();
      const answer = recordedAnswers[chosen.readUInt32LE(0) % recordedAnswers.length];
      if (answer === undefined) return;
      const difference = await checkThinAnswer(answer, chosen.readUInt32LE(4));
      demand(difference === null, `${answer.name} comes to other items: ${difference ?? ""}`);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
