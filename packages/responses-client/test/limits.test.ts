import { expect, test } from "vitest";
import { json, startFaultServer } from "./support/fault-server.ts";
import { collect, never, openClient, request } from "./support/open-client.ts";

/** `at 15:04`, with the day in front if it is another one than the clock's, wherever the test runs. */
function localTime(iso: string): string {
  const [then, now] = [new Date(iso), new Date("2026-11-20T12:00:00Z")];
  const time = then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const day = then.toLocaleDateString("sv-SE");
  return day === now.toLocaleDateString("sv-SE") ? `at ${time}` : `on ${day} at ${time}`;
}

const billing = "Check the plan and the billing of the account.";

test.each([
  {
    limit: { resets_in_seconds: 7470 },
    advice: `The limit resets ${localTime("2026-11-20T14:04:30Z")} (in 2 h 5 min).`,
  },
  {
    limit: { resets_at: 1_795_532_400 },
    advice: `The limit resets ${localTime("2026-11-24T15:00:00Z")} (in 4 d 3 h).`,
  },
  { limit: { resets_in_seconds: 20 }, advice: `The limit resets ${localTime("2026-11-20T12:00:20Z")} (in 1 min).` },
  { limit: { resets_at: 1000 }, advice: billing },
  { limit: { resets_in_seconds: 1e12 }, advice: billing },
  { limit: { resets_in_seconds: "soon" }, advice: billing },
])("a limit with $limit says when it resets, if that is a time in the future", async ({ limit, advice }) => {
  const error = { type: "usage_limit_reached", message: "The usage limit has been reached", ...limit };
  await using server = await startFaultServer([json(429, { error })]);
  using client = openClient(server.origin);
  const { outcome } = await collect(client.stream(request, never));
  const { host } = new URL(server.origin);
  const message = `${host} accepts no more requests for now (429): The usage limit has been reached. ${advice}`;
  expect(outcome).toMatchObject({ error: { code: "usage_limit_reached", retryable: false, message } });
});
