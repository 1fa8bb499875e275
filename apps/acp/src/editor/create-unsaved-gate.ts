import { hash } from "node:crypto";
import { lstat } from "node:fs/promises";
import type { CallGate } from "@unroll/harness";
import type { EditorFiles } from "./open-editor-files.ts";

/**
 * The gate of a thread whose person has files open: a patch of one with changes that are not saved is refused, once for each
 * text that the editor has. A second try goes through: the person may have said so, and an editor that does not look at the
 * disk again has the old text for ever. So the text that the editor has when we write is known, too.
 */
export function createUnsavedGate(own: CallGate, { read }: Pick<EditorFiles, "read">): CallGate {
  const known = new Map<string, string>();
  return {
    async judge(call, context) {
      if (call.type !== "patch") return own.judge(call, context);
      const paths = call.changes.flatMap(({ path, moved_from: from }) => (from === undefined ? [path] : [from, path]));
      const unsaved: string[] = [];
      for (const [path, { text, isSaved }] of await read(await listThere(paths), context.signal)) {
        const digest = hash("sha256", text);
        if (!isSaved && known.get(path) !== digest) unsaved.push(path);
        known.set(path, digest);
      }
      return unsaved.length === 0 ? own.judge(call, context) : toRefusal(unsaved.join(", "));
    },
  };
}

/** The files that a patch changes or replaces: of those that it adds, an editor has nothing. */
async function listThere(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => null)));
  return paths.filter((_, index) => found[index] !== null);
}

function toRefusal(names: string): Awaited<ReturnType<CallGate["judge"]>> {
  return {
    type: "declined",
    message: `Nothing was changed. In the person's editor there are unsaved changes to ${names}, so the file on the disk is not what they see. Tell them to save or to discard these changes, and end your turn with that; read the file again before you patch it. If they want the patch on the disk as it is, send it once more.`,
    reason: `The editor has unsaved changes to ${names}.`,
  };
}
