import type { CommandOutcome, CommandOutput } from "@unroll/protocol";
import { createSecretMask } from "@unroll/text";
import { type CommandRunner, maskRunner, maskStrings, type BackgroundCommandRunner } from "@unroll/tools";
import { expect, test } from "vitest";
import { captured, exited } from "../fake-ports.ts";

const value = "dpl-9aQx+7Zk2";
const secrets = createSecretMask([{ name: "KEY", value }]);
const text = `one ${value}, two ${btoa(value)}\n`;
const shown = "one [masked-secret:KEY], two [masked-secret:KEY:base64]\n";
const spec = { argv: ["x"], cwd: "/", timeoutMs: 1, maxOutputBytes: 1_000, confinement: "policy" } as const;

function runnerOf(pieces: readonly string[], outcome: CommandOutcome): CommandRunner & BackgroundCommandRunner {
  async function* output(): AsyncGenerator<CommandOutput, CommandOutcome> {
    for (const [index, piece] of pieces.entries()) {
      yield { type: "output", stream: index % 2 === 0 ? "stdout" : "stderr", text: piece };
    }
    return outcome;
  }
  return {
    run: output,
    startBackgroundCommand: async () => ({
      type: "opened",
      session: { output: output(), write: () => {}, resize: () => {} },
    }),
  };
}

async function take(output: AsyncGenerator<CommandOutput, CommandOutcome>) {
  let live = "";
  for (;;) {
    const next = await output.next();
    if (next.done === true) return { live, outcome: next.value };
    live += next.value.text;
  }
}

test("wherever output is cut, live and kept text hold no secret, from both streams, of a session too", async () => {
  const signal = new AbortController().signal;
  for (let at = 0; at <= text.length; at += 1) {
    const runner = maskRunner(runnerOf([text.slice(0, at), text.slice(at)], exited(text)), secrets);
    const expected = { live: shown, outcome: exited(shown) };
    expect(await take(runner.run(spec, signal))).toEqual(expected);
    const start = await runner.startBackgroundCommand(spec, signal);
    expect(start.type === "opened" && (await take(start.session.output))).toEqual(expected);
  }
});

test("what is kept of long output is cut after it was masked", async () => {
  const long = `${"x".repeat(95)}${value}${"y".repeat(500)}`;
  const runner = maskRunner(
    runnerOf([long], { ...exited(""), output: captured("no matter") } as CommandOutcome),
    secrets,
  );
  const { outcome } = await take(runner.run({ ...spec, maxOutputBytes: 200 }, new AbortController().signal));
  const kept = "output" in outcome ? outcome.output.text : "";
  for (let length = 4; length <= value.length; length += 1) expect(kept).not.toContain(value.slice(0, length));
});

test("without a secret in it the outcome is the runner's own", async () => {
  const outcome = exited("plain\n");
  const runner = maskRunner(runnerOf(["pla", "in\n"], outcome), secrets);
  expect((await take(runner.run(spec, new AbortController().signal))).outcome).toBe(outcome);
});

test("data without a secret is returned as the same object, and values that are not plain data are left unchanged", () => {
  const bytes = new Uint8Array(1);
  const data = { a: ["b", { c: null, bytes }], [value]: undefined };
  const plain = { a: ["b", { c: null, bytes }] };
  expect(maskStrings(plain, secrets.mask)).toBe(plain);
  expect(maskStrings(data, secrets.mask)).toEqual({ a: ["b", { c: null, bytes }], "[masked-secret:KEY]": undefined });
});
