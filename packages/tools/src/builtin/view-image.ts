import * as z from "zod";
import { resolvePath } from "../path/resolve-path.ts";
import type { ImageReader } from "../port/image-reader.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { CallableTool } from "../tool/tool.ts";

export interface ViewImageOptions {
  /** Absolute; read at each call. */
  readonly cwd: string;
  readonly images: ImageReader;
}

/** Lets the model see an image file: the image follows the call's output as a user message. */
export function createViewImageTool(options: ViewImageOptions): CallableTool {
  return defineTool({
    name: "view_image",
    description: "Loads an image file (PNG, JPEG, GIF, WebP) so that you see it, in a message after the tool outputs.",
    input: z.strictObject({
      path: z.string().min(1).describe("The file; relative to the working folder, or absolute."),
    }),
    concurrency: "shared",
    async run(input, context) {
      const path = resolvePath(options.cwd, input.path);
      const image = await options.images.read(path, context.signal);
      if ("error" in image) return { output: `The image was not loaded: ${image.error}` };
      await context.emit({
        type: "item.completed",
        item: { id: context.nextItemId(), type: "image_view", path, status: "completed" },
      });
      const content = [
        { type: "input_text", text: `The image ${path}:` },
        { type: "input_image", image_url: image.dataUrl },
      ] as const;
      return {
        output: `Loaded ${path}. It is in a message after the tool outputs.`,
        followUp: [{ type: "message", role: "user", content }],
      };
    },
  });
}
