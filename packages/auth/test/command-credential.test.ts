import { createCommandCredential, type KeyCommandResult } from "@unroll/auth";
import { expect, test } from "vitest";
import { never, refresh } from "./fixture/open-test-auth.ts";

const now = { elapsed: () => 0 };

function open(...results: KeyCommandResult[]): ReturnType<typeof createCommandCredential> & { learned: string[] } {
  const learned: string[] = [];
  const run = async (): Promise<KeyCommandResult> =>
    results.shift() ?? { type: "failed", reason: "it was run too often" };
  const onCredential = ({ value }: { value: string }): void => void learned.push(value);
  const options = { configKey: "model_providers.x.auth_command", run, onCredential, refreshMs: 1000, clock: now };
  return { ...createCommandCredential(options), learned };
}
const printed = (stdout: string): KeyCommandResult => ({ type: "exited", exitCode: 0, stdout });

test("a key is asked for once, by all who want it at the same time, and once more after a 401", async () => {
  const credential = open(printed("key-1\n"), printed("key-2\n"), printed("key-2\n"));
  const both = await Promise.all([credential.authorization(never), credential.authorization(never)]);
  expect([...both, await credential.authorization(never)]).toEqual(Array(3).fill({ authorization: "Bearer key-1" }));
  expect(await refresh(credential)).toBe(true);
  expect(await credential.authorization(never)).toEqual({ authorization: "Bearer key-2" });
  expect(await refresh(credential)).toBe(false);
  expect(credential.learned).toEqual(["key-1", "key-2", "key-2"]);
});

test("a key that is too old is asked for again before it is refused", async () => {
  let time = 0;
  const results = [printed("key-1"), printed("key-2")];
  const credential = createCommandCredential({
    configKey: "x",
    run: async () => results.shift() ?? printed(""),
    onCredential: () => {},
    refreshMs: 1000,
    clock: { elapsed: () => time },
  });
  const sent = async (at: number): Promise<unknown> => {
    time = at;
    return (await credential.authorization(never))["authorization"];
  };
  expect([await sent(0), await sent(999), await sent(1000), await sent(1999)]).toEqual(
    ["1", "1", "2", "2"].map((each) => `Bearer key-${each}`),
  );
});

test.for([
  [printed(" \n"), "it printed nothing"],
  [printed("secret-1\nsecret-2"), "its output is not one line with a key"],
  [printed(`secret-\u0000`), "its output is not one line with a key"],
  [{ type: "exited", exitCode: 3, stdout: "secret-1" }, "it ended with exit code 3"],
  [{ type: "failed", reason: "it took longer than 10 ms" }, "it took longer than 10 ms"],
] as const)("a command without a key is an error, which does not repeat its output", async ([result, reason]) => {
  const message = `model_providers.x.auth_command returned no key: ${reason}. Run it by hand to see its output.`;
  await expect(open(result).authorization(never)).rejects.toMatchObject({ code: "command_failed", message });
});
