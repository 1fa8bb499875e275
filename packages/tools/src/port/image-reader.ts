/**
 * Reads an image file for the model. Checks type and size and the reading rules of the sandbox; `error` is one sentence
 * that goes to the model. `readNodeImage` of `@unroll/tools/node` reads from this machine's disk.
 */
export interface ImageReader {
  /** `path` is absolute; `dataUrl` is a `data:image/…;base64,…` URL. */
  read(path: string, signal: AbortSignal): Promise<{ readonly dataUrl: string } | { readonly error: string }>;
}
