declare const vouched: unique symbol;

/**
 * The path of a program that may be started. Only the finders of this folder give one (`findSystemProgram`, `openPrograms`), and
 * `toCommandFile` for what the model runs.
 */
export type ProgramFile = string & { readonly [vouched]: true };

/** For the finders alone: it checks nothing. */
export function parseProgramFile(path: string): ProgramFile {
  return path as ProgramFile;
}

/**
 * The program of a command that the model or the user runs, as it stands there: looked up on the command's own PATH. The gate
 * before it judges it, not a finder.
 */
export function toCommandFile(word: string): ProgramFile {
  return parseProgramFile(word);
}
