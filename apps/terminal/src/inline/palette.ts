import {
  askPictures,
  chooseColorDepth,
  chooseColorScheme,
  createPainter,
  findPictureProtocol,
  findTheme,
  type InputEvent,
  type Painter,
  type PictureProtocol,
  type Theme,
} from "@unroll/screen";
import type { ThemeName } from "../command/terminal-command.ts";

/** The colours in use. */
export interface Palette {
  readonly painter: Painter;
  /** Chooses by the background that the terminal reports; false: nothing changes. */
  chooseByBackground(background: Background): boolean;
  choose(theme: ThemeName): void;
  /** Sets how the terminal takes pictures; null: it shows none. */
  choosePictures(protocol: PictureProtocol | null): void;
}

interface Background {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

export function createPalette(env: Readonly<Record<string, string | undefined>>): Palette {
  const depth = chooseColorDepth(env);
  let chosen: ThemeName = "auto";
  let background: Background | null = null;
  let pictures: PictureProtocol | null = null;

  function make(): Painter {
    const scheme = chosen === "dark" || chosen === "light" ? chosen : chooseColorScheme(background, env["COLORFGBG"]);
    const colors = chosen === "plain" ? "none" : depth;
    const isPlain = colors === "none";
    return createPainter({
      theme: requireTheme(scheme),
      colors,
      hasLinks: !isPlain,
      pictures: isPlain ? null : pictures,
    });
  }

  let painter = make();
  return {
    get painter() {
      return painter;
    },
    chooseByBackground(found) {
      background = found;
      if (chosen !== "auto") return false;
      painter = make();
      return true;
    },
    choose(theme) {
      chosen = theme;
      painter = make();
    },
    choosePictures(protocol) {
      pictures = protocol;
      painter = make();
    },
  };
}

function requireTheme(name: "dark" | "light"): Theme {
  const theme = findTheme(name);
  if (theme === null) throw new Error(`There is no theme ${name}.`);
  return theme;
}

export interface PicturePorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Sends a question to the terminal. */
  readonly send: (sequence: string) => void;
  readonly choose: (protocol: PictureProtocol) => void;
}

/** Finds out how the terminal takes pictures. It is asked only once its name is known: other terminals may print the question. */
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
