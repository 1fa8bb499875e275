import { expect, test } from "vitest";
import { findBroken, openLoadedSimulation } from "./hold-seeds.ts";

test("no law is broken in as many more threads, beside the others", async () => {
  expect(await findBroken(await openLoadedSimulation(), 1)).toEqual([]);
});
