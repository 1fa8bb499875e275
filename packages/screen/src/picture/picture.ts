/** A picture as a terminal takes it. */
export interface Picture {
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
  readonly mediaType: string;
  /** The file in base64. */
  readonly base64: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** How a terminal takes pictures: by kitty's graphics protocol (PNG alone), or by iTerm2's OSC 1337. */
export type PictureProtocol = "kitty" | "iterm2";
