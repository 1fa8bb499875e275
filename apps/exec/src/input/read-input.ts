import { readImageFile, type ResolvedConfig } from "@unroll/harness";
import type { UserInputPart } from "@unroll/protocol";
import { findNamedImages, type ProcessIo, ProgramError } from "@unroll/program";
import type { ExecOptions } from "../exec-options.ts";
import type { ExecInput } from "./exec-input.ts";
import { readPrompt } from "./read-prompt.ts";

/** The prompt and the images of `-i`. Throws `ProgramError` for an empty prompt and for a file that is not an image. */
export async function readInput(
  options: ExecOptions,
  { io, config, signal }: { readonly io: ProcessIo; readonly config: ResolvedConfig; readonly signal: AbortSignal },
): Promise<ExecInput> {
  if (options.review !== undefined) {
    const { readReview } = await import("./read-review.ts");
    return readReview(options.review, options, { io, signal });
  }
  const named = await findNamedImages(options.image ?? [], io.cwd);
  const images = await Promise.all(named.map((path) => readImage(path, { options, config })));
  // where answers come on stdin, nothing of it belongs to the prompt
  const stdin = options.approvals === "stdio" ? ({ ...io.stdin, kind: "terminal" } as const) : io.stdin;
  const tell = (text: string): void => void io.stderr.stream.write(`${text}\n`);
  const reading = readPrompt({ argument: options.prompt ?? null, hint: hintAtLast(options), tell }, stdin, signal);
  const rest = { outputSchema: null, toAnswer: (text: string) => text };
  try {
    const { text, notice } = await reading;
    return { ...rest, input: [...images, { type: "text", text }], notices: notice === undefined ? [] : [notice] };
  } catch (error) {
    const mayWait = options.resume !== undefined && options.prompt === undefined && images.length === 0;
    if (mayWait && error instanceof ProgramError) return { ...rest, input: [], notices: [], missing: error };
    throw error;
  }
}

/** Without `--last`, the first argument is the thread id, so a prompt alone is an error. */
function hintAtLast({ prompt, resume, fork }: ExecOptions): string {
  const id = resume ?? fork?.id ?? "last";
  return prompt !== undefined || id === "last"
    ? ""
    : ` ${JSON.stringify(id)} was read as a thread id; for the latest thread, write --last before the prompt.`;
}

async function readImage(
  path: string,
  { options, config }: { readonly options: ExecOptions; readonly config: ResolvedConfig },
): Promise<UserInputPart> {
  const image = await readImageFile(path, config);
  if ("error" in image) throw new ProgramError("input", `-i: ${image.error}${hintAtSeparator(options)}`);
  return { type: "image", dataUrl: image.dataUrl };
}

/** Without `--`, the prompt is read as the last image. */
function hintAtSeparator({ prompt, image = [] }: ExecOptions): string {
  return prompt === undefined && image.length > 1 ? " If that is the prompt, write -- before it." : "";
}
