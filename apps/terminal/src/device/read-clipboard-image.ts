import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPrograms, type ProgramPlaces, runProgram } from "@unroll/process-tree";
import type { ClipboardOptions } from "./clipboard.ts";

const toolMs = 3000;
const maxBytes = 64 * 1024 * 1024;

/** The picture in the clipboard as a file of the temporary folder; null: there is none, or no tool that could read it. */
export async function readClipboardImage(options: Omit<ClipboardOptions, "send">): Promise<string | null> {
  for (const [program, ...args] of listTools(options)) {
    const bytes = program === undefined ? null : await run(program, args, options);
    if (bytes === null) continue;
    const file = join(await mkdtemp(join(tmpdir(), "unroll-image-")), "clipboard.png");
    await writeFile(file, bytes, { mode: 0o600 });
    return file;
  }
  return null;
}

function listTools({ env, platform }: Pick<ClipboardOptions, "env" | "platform">): readonly (readonly string[])[] {
  if (platform === "darwin") return [["pngpaste", "-"]];
  return [
    ...(env["WAYLAND_DISPLAY"] ? [["wl-paste", "--type", "image/png"]] : []),
    ...(env["DISPLAY"] ? [["xclip", "-selection", "clipboard", "-t", "image/png", "-o"]] : []),
  ];
}

/** Null: the output is not a PNG. */
async function run(program: string, args: readonly string[], places: ProgramPlaces): Promise<Buffer | null> {
  const { find, environment } = openPrograms(places);
  const tool = find(program);
  if (tool.type === "missing") return null;
  const { code, stdout } = await runProgram(tool.file, args, { timeout: toolMs, maxBytes, env: environment });
  const isPng = code === 0 && stdout.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  return isPng ? stdout : null;
}
