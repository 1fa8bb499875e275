/** How many colours the terminal shows. */
export type ColorDepth = "truecolor" | "256" | "16" | "none";

/** A colour as `0xrrggbb`, or one of the terminal's own sixteen, which follow what the person chose for it. */
export type Color = { readonly rgb: number } | { readonly ansi: number };

/** The parameters of SGR that set the colour: of text, or of what is behind it. */
export function toColorParameters(color: Color, depth: ColorDepth, layer: "text" | "background"): string {
  const base = layer === "text" ? 30 : 40;
  if (depth === "none") return "";
  if ("ansi" in color) return toAnsiParameter(color.ansi, base);
  const [red, green, blue] = toChannels(color.rgb);
  if (depth === "truecolor") return `${base + 8};2;${red};${green};${blue}`;
  if (depth === "256") return `${base + 8};5;${toPalette(red, green, blue)}`;
  return toAnsiParameter(findNearestAnsi(red, green, blue), base);
}

function toAnsiParameter(ansi: number, base: number): string {
  return String(ansi < 8 ? base + ansi : base + 60 + ansi - 8);
}

function toChannels(rgb: number): [number, number, number] {
  return [(rgb >> 16) & 0xff, (rgb >> 8) & 0xff, rgb & 0xff];
}

/** The nearest of the cube of 216 colours and the 24 greys (xterm's palette, 16 to 255). */
function toPalette(red: number, green: number, blue: number): number {
  const [r, g, b] = [toCubeStep(red), toCubeStep(green), toCubeStep(blue)];
  const grey = Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)));
  const cubeMiss = distance([red, green, blue], [cubeLevel(r), cubeLevel(g), cubeLevel(b)]);
  const level = 8 + grey * 10;
  return distance([red, green, blue], [level, level, level]) < cubeMiss ? 232 + grey : 16 + 36 * r + 6 * g + b;
}

function toCubeStep(channel: number): number {
  return channel < 48 ? 0 : channel < 115 ? 1 : Math.floor((channel - 35) / 40);
}

function cubeLevel(step: number): number {
  return step === 0 ? 0 : 55 + step * 40;
}

function findNearestAnsi(red: number, green: number, blue: number): number {
  const misses = ansiColors.map((rgb) => distance([red, green, blue], toChannels(rgb)));
  return misses.indexOf(Math.min(...misses));
}

function distance(left: readonly [number, number, number], right: readonly [number, number, number]): number {
  return (left[0] - right[0]) ** 2 + (left[1] - right[1]) ** 2 + (left[2] - right[2]) ** 2;
}

// xterm's sixteen colours; other terminals differ, and people change them.
const ansiColors = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00,
  0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
];
