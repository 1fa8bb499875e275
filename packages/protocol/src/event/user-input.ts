/** What a person sends: text and images. An image is a `data:` URL; files are read by the app or the harness. */
export type UserInput = string | readonly UserInputPart[];

/** A part of what a person says: text, or an image as a `data:` URL. */
export type UserInputPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly dataUrl: string };
