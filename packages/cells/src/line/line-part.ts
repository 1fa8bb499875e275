import type { StyledLine } from "@unroll/screen";

/** Some of the lines of something that is shown. Drawn `plain`, its code has no colours, which take most of the time: the same lines, with the same text. */
export type LinePart = (colors: "colored" | "plain") => readonly StyledLine[];
