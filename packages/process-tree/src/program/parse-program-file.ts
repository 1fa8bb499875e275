declare const vouched: unique symbol;

/**
 * The path of a program that may be started. Only the finders of this folder return one
 * (`findSystemProgram`, `openPrograms`), and `toCommandFile` for the model's commands.
 */
export type ProgramFile = string & { readonly [vouched]: true };

/** Only for the finders: it checks nothing. */
export function parseProgramFile(path: string): ProgramFile {
  return path as ProgramFile;
}

/**
 * The program of a command that the model or the user runs, as written: it is looked up on the
 * command's own PATH. The gate judges it, not a finder, so this checks nothing.
 */
export function toCommandFile(word: string): ProgramFile {
  return parseProgramFile(word);
}
