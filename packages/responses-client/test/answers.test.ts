import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkThinAnswer, recordedAnswers } from "./fixture/answer-law.ts";
import { answersFolder, readAnswer } from "./fixture/read-answer.ts";
import * as fc from "fast-check";

const names = readdirSync(answersFolder).filter((name) => /^\d/.test(name));

test.for(names)("the answer %s is read as it is meant", async (name) => {
  const read = await readAnswer(readFileSync(join(answersFolder, name, "stream.sse")));
  await expect(`${JSON.stringify(read, null, 2)}\n`).toMatchFileSnapshot(join(answersFolder, name, "expected.json"));
});

test.for(names)("the answer %s is read the same byte by byte", async (name) => {
  const bytes = readFileSync(join(answersFolder, name, "stream.sse"));
  const pieces = Array.from(bytes, (_, place) => bytes.subarray(place, place + 1));
  expect(await readAnswer(...pieces)).toEqual(await readAnswer(bytes));
});

test.for(recordedAnswers)(
  "whatever optional is missing in the answer $name, its items are the same",
  async (recorded) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(2 ** 31), async (seed) => {
        expect(await checkThinAnswer(recorded, seed)).toBeNull();
      }),
      { numRuns: Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 100) },
    );
  },
);
