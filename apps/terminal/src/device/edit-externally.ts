import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runEditor } from "@unroll/program";

export type EditedText =
  | { readonly type: "edited"; readonly text: string }
  /** In a sentence. */
  | { readonly type: "failed"; readonly message: string };

/** Opens your editor on a text and waits for its end. The caller has handed the terminal over. */
export async function editExternally(text: string, io: Parameters<typeof runEditor>[1]): Promise<EditedText> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-edit-"));
  const file = join(folder.path, "prompt.md");
  await writeFile(file, text, { mode: 0o600 });
  const message = await runEditor(file, io);
  if (message !== null) return { type: "failed", message };
  return { type: "edited", text: (await readFile(file, "utf8")).replace(/\n$/, "") };
}
