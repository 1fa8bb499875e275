import type { WireInput } from "@unroll/app-server-protocol";
import { resolve } from "node:path";
import type { ResolvedConfig } from "@unroll/config";
import type { UserInput, UserInputPart } from "@unroll/protocol";
import { RequestFault } from "@unroll/thread-host/wire";

/**
 * Converts a client's input to the input of a turn; reads its files. Throws `RequestFault` for another address than a
 * `data:` URL, and for a file that no prompt may have.
 */
export async function readWireInput(input: readonly WireInput[], config: ResolvedConfig): Promise<UserInput> {
  return Promise.all(input.map((part, index) => toPart(part, { config, place: `input[${index}]` })));
}

async function toPart(
  part: WireInput,
  { config, place }: { readonly config: ResolvedConfig; readonly place: string },
): Promise<UserInputPart> {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      if (part.url.startsWith("data:image/")) return { type: "image", dataUrl: part.url };
      throw new RequestFault("invalidParams", `${place}.url: a data: URL of an image is expected.`);
    case "localImage": {
      const { readImageFile } = await import("@unroll/harness");
      const image = await readImageFile(resolve(config.cwd, part.path), config);
      if ("error" in image) throw new RequestFault("invalidParams", `${place}.path: ${image.error}`);
      return { type: "image", dataUrl: image.dataUrl };
    }
    case "mention":
      return { type: "text", text: `@${part.path}` };
    case "skill":
      return { type: "text", text: `$${part.name}` };
  }
}
