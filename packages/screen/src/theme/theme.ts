import type { Role } from "../line/styled-line.ts";
import type { Color } from "./color.ts";

/** How a role looks. An absent attribute leaves the previous value. */
export interface Look {
  readonly color?: Color;
  /** The colour with 16 colours, where the nearest one would not do. */
  readonly color16?: Color;
  readonly background?: Color;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isStruck?: boolean;
  readonly isInverse?: boolean;
}

/** One `Look` for each role, made for a dark or a light background. */
export interface Theme {
  readonly name: string;
  readonly scheme: ColorScheme;
  readonly looks: Readonly<Record<Role, Look>>;
}

/** Whether the terminal is dark or light. */
export type ColorScheme = "dark" | "light";
