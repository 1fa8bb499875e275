import {
  chooseColorDepth,
  chooseColorScheme,
  createPainter,
  findTheme,
  type Painter,
  type PictureProtocol,
  type Theme,
} from "@unroll/screen";
import type { ThemeName } from "../command/terminal-command.ts";

/** The colours in use. */
export interface Look {
  readonly painter: Painter;
  /** By what the terminal says of itself; false: nothing changes. */
  chooseByBackground(background: Background): boolean;
  choose(theme: ThemeName): void;
  /** How the terminal takes pictures; null: it shows none. */
  choosePictures(protocol: PictureProtocol | null): void;
}

interface Background {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

export function createLook(env: Readonly<Record<string, string | undefined>>): Look {
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
