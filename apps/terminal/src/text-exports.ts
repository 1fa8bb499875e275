// What other commands show as the terminal program does. Apart from the package's own front door, which has to open at once.
export { openLineTerminal } from "./plain/line-terminal.ts";
