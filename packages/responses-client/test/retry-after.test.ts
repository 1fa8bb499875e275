import { expect, test } from "vitest";
import { readRetryAfter } from "../src/failure/retry-after.ts";

test.each([
  ["Please try again in 1.5s.", 1500],
  ["Please try again in 20ms", 20],
  ["Try again in 1m3s", 63_000],
  ["try again in 1h0m2.5s", 3_602_500],
  ["Retry after 2 seconds.", 2000],
  ["Try again in 3 minutes and 5 seconds", 185_000],
  ["try again in 250 milliseconds", 250],
  ["try again in a moment", null],
  ["try again in 5 songs", null],
  ["Limit 30000, used 29000.", null],
])("%s", (message, expected) => {
  expect(readRetryAfter({}, message, 0)).toBe(expected);
});

test("a header that cannot be read, or a date that is past, delays nothing", () => {
  expect(readRetryAfter({ "retry-after": "soon" }, "", 0)).toBeNull();
  expect(readRetryAfter({ "retry-after": "Fri, 20 Nov 2026 12:00:00 GMT" }, "", Date.UTC(2027, 0))).toBe(0);
});
