import { settleAll } from "@unroll/flow";
import { expect, test } from "vitest";

test("all have ended when the first failure is thrown", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  const all = settleAll([Promise.reject(new Error("one")), promise, Promise.reject(new Error("two"))]);
  const end = all.finally(() => (isOver = true));
  end.catch(() => {});
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  resolve();
  await expect(end).rejects.toThrow("one");
});
