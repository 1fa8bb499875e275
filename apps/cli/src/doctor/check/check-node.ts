import { type Finding, toFinding } from "../finding.ts";
import { version } from "../../version.ts";
import type { DoctorRun } from "./doctor-run.ts";

/** A Node.js that is too old ends every start before this: see `main.ts`. */
export async function checkNode({ io }: Pick<DoctorRun, "io">): Promise<readonly Finding[]> {
  return [toFinding("node", "ok", `Node.js ${io.nodeVersion} on ${io.platform}, unroll ${version}.`)];
}
