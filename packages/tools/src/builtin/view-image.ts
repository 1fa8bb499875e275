import { checkShape } from "@unroll/text";
import * as z from "zod";
import { resolvePath } from "../command/resolve-path.ts";
import { definePlannedTool } from "../tool/define-planned-tool.ts";
import type { CallableTool, CallContext, CallEnd } from "../tool/tool.ts";

/** Where the tool `view_image` finds images. */
export interface ViewImageOptions {
  /** Absolute; read at each call. */
  readonly cwd: string;
  readonly images: ImageReader;
}

const input = z.strictObject({
  path: z.string().min(1).describe("The file; relative to the working folder, or absolute."),
});

/** Lets the model see an image file: the image follows the call's output as a user message. */
export function createViewImageTool(options: ViewImageOptions): CallableTool {
  checkShape("createViewImageTool", options, { cwd: "text", images: "an object" });
  return definePlannedTool({
    name: "view_image",
    description: "Loads an image file (PNG, JPEG, GIF, WebP) so that you see it, in a message after the tool outputs.",
    input,
    concurrency: "shared",
    async plan(input, { itemId }) {
      const path = resolvePath(options.cwd, input.path);
      return {
        type: "call.planned",
        gated: { type: "tool", tool: "view_image", arguments: input, approval: "run" },
        item: { id: itemId, type: "image_view", path, status: "in_progress" },
        run: (_verdict, context) => loadImage(options.images, path, context),
      };
    },
  });
}

async function loadImage(images: ImageReader, path: string, { signal }: CallContext): Promise<CallEnd> {
  const image = await images.read(path, signal);
  if ("error" in image) {
    return { answer: `The image was not loaded: ${image.error}`, fault: image.error };
  }
  const content = [
    { type: "input_text", text: `The image ${path}:` },
    { type: "input_image", image_url: image.dataUrl },
  ] as const;
  return {
    answer: {
      output: `Loaded ${path}. It is in a message after the tool outputs.`,
      followUp: [{ type: "message", role: "user", content }],
    },
  };
}

/**
 * Reads an image file for the model. Checks type and size and the reading rules of the sandbox; `error` is one sentence
 * that goes to the model. `readNodeImage` of `@unroll/tools/node` reads from this machine's disk.
 */
export interface ImageReader {
  /** `path` is absolute; `dataUrl` is a `data:image/…;base64,…` URL. */
  read(path: string, signal: AbortSignal): Promise<{ readonly dataUrl: string } | { readonly error: string }>;
}
