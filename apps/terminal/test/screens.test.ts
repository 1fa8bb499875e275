import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");

test("the question that the README shows is the one that the program was seen to ask", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  expect(readme).toContain(await readFile(join(root, "docs/screens/approval.txt"), "utf8"));
});
