import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { openExecWorld } from "./exec-world.ts";

// The public Codex SDK reads `--experimental-json`: events without a place in its types are written in its words.

const touch = { items: [{ call: "exec_command", arguments: { cmd: "touch made" } }] };
const done = { items: [{ text: "Done." }] };
const task = { prompt: "Go", json: true, askForApproval: "untrusted", sandbox: "danger-full-access" } as const;

test("what was declined is failed for the SDK, with the reason, and declined for all others", async () => {
  await using world = await openExecWorld({ script: { turns: [touch, done, touch, done] } });
  const reason = expect.stringContaining("touch made") as string;
  const statuses = async (experimentalJson: boolean): Promise<unknown> => {
    const { events } = await world.run({ ...task, experimentalJson });
    return events.flatMap(({ type, item }) =>
      type === "item.completed" && "status" in (item as object) ? [item] : [],
    );
  };
  expect(await statuses(true)).toEqual([expect.objectContaining({ status: "failed", exit_code: null, reason })]);
  expect(await statuses(false)).toEqual([expect.objectContaining({ status: "declined", exit_code: null, reason })]);
});

test.for([
  [true, "item.started"],
  [false, "turn.failed"],
] as const)(
  "a run that the caller stops: with the SDK's flag %s the last event is %s",
  async ([experimentalJson, last]) => {
    const sleep = { items: [{ call: "exec_command", arguments: { cmd: "sleep 20" } }] };
    await using world = await openExecWorld({ script: { turns: [sleep] } });
    let stop = (_signal: "SIGTERM"): void => {};
    const ran = await world.run(
      { ...task, askForApproval: "never", experimentalJson },
      {
        stdin: { stream: new PassThrough(), kind: "silent" },
        onStart: (send) => (stop = send),
        onStdout: (text) => void (text.includes('"item.started"') && stop("SIGTERM")),
      },
    );
    expect(ran.exitCode).toBe(143);
    const types = ran.events.map(({ type }) => type).filter((type) => type !== "item.completed");
    expect(types.at(-1)).toBe(last);
  },
);
