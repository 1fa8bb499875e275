import type { ResolvedConfig } from "@unroll/config";
import { openPromptFiles } from "@unroll/harness";

/** Why files of this machine must not be sent, by their paths; a reason continues a sentence that begins with the path. */
export async function findRefusals(
  paths: readonly string[],
  config: ResolvedConfig,
): Promise<ReadonlyMap<string, string>> {
  const files = await openPromptFiles(config);
  const read = await Promise.all(paths.map(async (path) => [path, await files.read(path, 0)] as const));
  return new Map(
    read.flatMap(([path, file]) => {
      if (file.type === "refused") return [[path, file.reason]];
      // nobody can tell whether it is a hidden one
      return file.type === "unreadable" ? [[path, `cannot be read: ${file.reason}`]] : [];
    }),
  );
}
