import { resolve } from "node:path";
import { type ProcessIo, ProgramError } from "@unroll/program";
import { renderReview, type ReviewTarget } from "@unroll/report";
import { toShownText } from "@unroll/text";
import { parseReview, prepareReview } from "@unroll/use-cases/review";
import type { ExecOptions } from "../exec-options.ts";
import type { ExecInput } from "./exec-input.ts";

/** The task of a review. Throws `ProgramError` for a target that git does not know, or a repository that it does not use. */
export async function readReview(
  target: ReviewTarget,
  { cd = "", prompt: focus = "" }: ExecOptions,
  { io, signal }: { readonly io: ProcessIo; readonly signal: AbortSignal },
): Promise<ExecInput> {
  const prepared = await prepareReview(target, { cwd: resolve(io.cwd, cd), env: io.env, signal, focus });
  if (prepared.type === "refused") throw new ProgramError("usage", prepared.message);
  return { ...prepared, notices: [], toAnswer };
}

/** An answer that is not a review is shown unchanged. */
function toAnswer(text: string): string {
  const review = parseReview(text);
  return review === null ? text : `${toShownText(renderReview(review))}\n`;
}
