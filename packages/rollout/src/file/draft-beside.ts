import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A place for what is to become a file, in a folder of its own beside it: nobody else's draft is there. */
export interface Draft extends AsyncDisposable {
  readonly path: string;
}

/** Taken away with its folder when it is disposed of, unless it was moved into place before. */
export async function openDraftBeside(path: string): Promise<Draft> {
  const folder = await mkdtemp(`${path}.`);
  return {
    path: join(folder, "draft"),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Replaces a file as a whole or not at all; only its owner can read it. A power failure may lose the new content. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await using draft = await openDraftBeside(path);
  await writeFile(draft.path, content, { mode: 0o600 });
  await rename(draft.path, path);
}
