import { fileURLToPath } from "node:url";
import { type ContentBlock, type EmbeddedResource, RequestError } from "@agentclientprotocol/sdk/unstable";
import type { UserInputPart } from "@unroll/protocol";

/**
 * Converts a client's prompt to the input of a turn. A link names what it points to; a file that it embeds is given as
 * it is there, also where it was not saved. Throws `RequestError` for what no turn takes.
 */
export function toUserInput(prompt: readonly ContentBlock[]): readonly UserInputPart[] {
  const parts = prompt.map((block, index) => toPart(block, `prompt[${index}]`));
  if (parts.length === 0) throw refuse("prompt", "it is empty.");
  return parts;
}

/** The files of this machine that a prompt links to, by their absolute paths. */
export function listLinkedFiles(prompt: readonly ContentBlock[]): readonly string[] {
  return prompt.flatMap((block) => (block.type === "resource_link" ? (toPath(block.uri) ?? []) : []));
}

/** A file of this machine whose content a prompt has. */
interface EmbeddedFile {
  readonly path: string;
  /** The address of its block in the prompt. */
  readonly place: string;
}

/** The files that a prompt embeds: the client has read them. */
export function listEmbeddedFiles(prompt: readonly ContentBlock[]): readonly EmbeddedFile[] {
  return prompt.flatMap((block, index) => {
    const path = toPath(readContentUri(block));
    return path === null ? [] : [{ path, place: `prompt[${index}]` }];
  });
}

/** Empty: the block embeds nothing, or its client does not say what. */
function readContentUri(block: ContentBlock): string {
  if (block.type === "resource") return block.resource.uri;
  return block.type === "image" ? (block.uri ?? "") : "";
}

function toPart(block: ContentBlock, place: string): UserInputPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return toImage(block, place);
    case "resource_link":
      return { type: "text", text: `[@${block.title ?? block.name}](${toPath(block.uri) ?? block.uri})` };
    case "resource":
      return toResource(block, place);
    case "audio":
      throw refuse(`${place}.type`, "audio is not supported (promptCapabilities.audio is false).");
  }
}

function toImage(
  { data, mimeType }: { readonly data: string; readonly mimeType: string },
  place: string,
): UserInputPart {
  if (!/^image\/[\w.+-]+$/.test(mimeType)) throw refuse(`${place}.mimeType`, "image/… is expected.");
  if (data === "") throw refuse(`${place}.data`, "the image is empty (one by its address is not fetched).");
  return { type: "image", dataUrl: `data:${mimeType};base64,${data}` };
}

function toResource({ resource }: EmbeddedResource, place: string): UserInputPart {
  const name = toPath(resource.uri) ?? resource.uri;
  if ("text" in resource) return { type: "text", text: toFileContext(name, resource.text) };
  const mimeType = resource.mimeType ?? "";
  if (mimeType.startsWith("image/")) return toImage({ data: resource.blob, mimeType }, `${place}.resource`);
  const kind = mimeType === "" ? "bytes" : mimeType;
  return { type: "text", text: `[@${name}: ${kind}, which is not shown here]` };
}

/** The path of a file on this machine; null for any other URI. */
function toPath(uri: string): string | null {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri.replace(/#.*$/s, "")) : null;
  } catch {
    return null; // of another host, or encoded in no way that there is
  }
}

function refuse(place: string, why: string): RequestError {
  return RequestError.invalidParams({ place }, `${place}: ${why}`);
}

/** In the model's window; what a client embeds is as long as the client wants. */
const maxUnsavedCharacters = 128 * 1024;

const unsavedTag = "<unsaved_changes>";

/** The texts, by their paths, that an editor has and the disk has not; in tags, as nobody said them. */
export function toUnsavedInput(unsaved: ReadonlyMap<string, string>): readonly UserInputPart[] {
  return [...unsaved].map(([path, text]) => {
    const shown =
      text.length > maxUnsavedCharacters ? "It is too long to be shown." : `Its text:\n${toFileContext(path, text)}`;
    const told = `The editor has changes to ${path} that are not saved. ${shown}`;
    return { type: "text", isAdded: true, text: `${unsavedTag}\n${told}\n</unsaved_changes>` };
  });
}

/** The text of a file, with its name. */
function toFileContext(name: string, text: string): string {
  return `<context path=${JSON.stringify(name)}>\n${text}${text.endsWith("\n") ? "" : "\n"}</context>`;
}
