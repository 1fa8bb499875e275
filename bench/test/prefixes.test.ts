import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { measurePrefixes } from "../src/plot/measure-prefixes.ts";

test("the picture of the prefix law shows a run in which each request begins with all but the tail of the one before", async () => {
  const requests = await measurePrefixes();
  const kept = requests.slice(0, -1).map(({ bytes, tail }) => bytes - tail);
  expect(requests.slice(1).map(({ shared }) => shared)).toEqual(kept);
  const picture = await readFile(join(import.meta.dirname, "../../docs/bench/prefix-law.svg"), "utf8");
  expect(picture.match(/class="label">request \d+</g)).toHaveLength(requests.length);
  expect(picture).toContain(`the last ${requests[0]?.tail} bytes of a request`);
});
