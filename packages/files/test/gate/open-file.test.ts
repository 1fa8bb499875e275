import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRegularFile } from "@unroll/files";
import { expect, test } from "vitest";

test.skipIf(process.platform !== "linux")(
  "a file named as Linux names an opened file that was removed is not opened: it might be another name of that file",
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-files-"));
    const path = join(folder.path, "AGENTS.md (deleted)");
    await writeFile(path, "Use tabs.");
    await expect(openRegularFile(path)).rejects.toMatchObject({ code: "ESTALE" });
  },
);
