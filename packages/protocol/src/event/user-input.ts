/** A user's message: text and images. An image is a `data:` URL; the app or the harness reads files. */
export type UserInput = string | readonly UserInputPart[];

/**
 * A part of what you say: text, or an image as a `data:` URL. `isAdded`: the program wrote it for the model, so it is not shown as yours.
 * `from`: the model of the thread that started this one as a sub-agent wrote it, so all of the message is its.
 */
export type UserInputPart =
  | { readonly type: "text"; readonly text: string; readonly isAdded?: boolean; readonly from?: "agent" }
  | { readonly type: "image"; readonly dataUrl: string };
