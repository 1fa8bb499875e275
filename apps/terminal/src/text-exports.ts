// What other commands show as the terminal program does. Apart from the package's own front door, which has to open at once.
export { openTerminal } from "./plain/terminal.ts";
