import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIo } from "@unroll/program";
import { expect, test } from "vitest";
import { createProgram } from "../src/program.ts";
import { renderCliPage } from "./render-cli-page.ts";

const file = join(import.meta.dirname, "../../../docs/cli.md");
const begin = "<!-- reference: written by pnpm vitest run --project @unroll/cli cli-page -u -->\n";

test("docs/cli.md lists every command, argument and flag as --help does (-u writes it)", async () => {
  const [words = ""] = readFileSync(file, "utf8").split(begin);
  const program = createProgram({ io: {} as ProcessIo, exit: () => {} });
  await expect(`${words}${begin}\n${renderCliPage(program)}\n`).toMatchFileSnapshot(file);
});
