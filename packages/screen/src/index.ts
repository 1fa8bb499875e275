export type { Role, Span, StyledLine } from "./line/styled-line.ts";
