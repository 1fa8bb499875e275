import { askPictures, findPictureProtocol, type InputEvent, type PictureProtocol } from "@unroll/screen";

export interface PicturePorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Sends a question to the terminal. */
  readonly send: (sequence: string) => void;
  readonly choose: (protocol: PictureProtocol) => void;
}

/** Finds out of what the terminal answers how it takes pictures. It is asked only once it has said what it is: another one may print the question. */
export function createPictureSearch({ env, send, choose }: PicturePorts): (event: InputEvent) => void {
  let version: string | null = null;
  let isAsked = false;

  return (event) => {
    if (event.type === "reply.version") ({ version } = event);
    if (event.type === "reply.pictures" && event.isTaken && isAsked) choose("kitty");
    if (event.type !== "reply.attributes") return; // which ends the answers
    const found = findPictureProtocol(env, version);
    isAsked = found === "ask";
    if (found === "ask") send(askPictures);
    else if (found !== null) choose(found);
  };
}
