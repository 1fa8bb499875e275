import { expect, test, vi } from "vitest";
import { contain } from "@unroll/flow";

test("what a contained callback throws, or rejects with, goes to its handler", async () => {
  const faults: unknown[] = [];
  const handle = (error: unknown): void => void faults.push(error);
  contain((name: string) => {
    throw new Error(name);
  }, handle)("thrown");
  contain(async () => Promise.reject(new Error("rejected")), handle)();
  contain(() => faults.push("ran"), handle)();
  await vi.waitUntil(() => faults.length === 3);
  expect(faults).toEqual([new Error("thrown"), "ran", new Error("rejected")]);
});
