import { describeThrown } from "@unroll/text";
import { ProgramError } from "../failure/program-error.ts";

/**
 * A package that only users of a server install. `load`: its import. Throws `ProgramError` with the line that installs it if it is missing.
 */
export async function loadServerPackage<Package>(
  name: string,
  what: string,
  load: () => Promise<Package>,
): Promise<Package> {
  try {
    return await load();
  } catch (error) {
    if (!describeThrown(error).includes(`'${name}'`)) throw error;
    const message = `${what} needs the package ${name}. Install it beside unroll: npm install -g ${name}`;
    throw new ProgramError("usage", message, { cause: error });
  }
}
