import { spawn } from "node:child_process";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type EditedText =
  | { readonly type: "edited"; readonly text: string }
  /** In a sentence. */
  | { readonly type: "failed"; readonly message: string };

/** Opens `$VISUAL`, or `$EDITOR`, on a text and waits for its end. The caller has handed the terminal over. */
export async function editExternally(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<EditedText> {
  const editor = env["VISUAL"] || env["EDITOR"] || "";
  const [program, ...args] = editor.split(/\s+/).filter((word) => word !== "");
  if (program === undefined) return { type: "failed", message: "No editor is named: set VISUAL or EDITOR." };
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-edit-"));
  const file = join(folder.path, "prompt.md");
  await writeFile(file, text, { mode: 0o600 });
  const failure = await run(program, [...args, file], env);
  if (failure !== null) return { type: "failed", message: `${program}: ${failure}.` };
  return { type: "edited", text: (await readFile(file, "utf8")).replace(/\n$/, "") };
}

/** Null: it ended well. */
function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { stdio: "inherit", env: { ...env } });
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => resolve(code === 0 ? null : `it ended with exit code ${code}, so nothing was taken`));
  });
}
