import {
  chooseColorDepth,
  chooseColorScheme,
  createPainter,
  findTheme,
  type Painter,
  type Theme,
} from "@unroll/screen";
import type { ThemeName } from "../command/terminal-command.ts";

/** The colours in use. */
export interface Look {
  readonly painter: Painter;
  /** By what the terminal says of itself; false: nothing changes. */
  chooseByBackground(background: Background): boolean;
  choose(theme: ThemeName): void;
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

  function make(): Painter {
    const scheme = chosen === "dark" || chosen === "light" ? chosen : chooseColorScheme(background, env["COLORFGBG"]);
    const colors = chosen === "plain" ? "none" : depth;
    return createPainter({ theme: requireTheme(scheme), colors, hasLinks: colors !== "none" });
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
  };
}

function requireTheme(name: "dark" | "light"): Theme {
  const theme = findTheme(name);
  if (theme === null) throw new Error(`There is no theme ${name}.`);
  return theme;
}
