import type { ProcessLaunch } from "../../spawn/process-launch.ts";
import { markerVariable } from "../../tree/process-tree.ts";

/** Whether a starter can be asked for it: no system accepts a zero byte, and Node reports that error. */
export function isSayable({ file, args, cwd, environment }: ProcessLaunch): boolean {
  const names = Object.keys(environment);
  const texts = [file, cwd, ...args, ...names, ...Object.values(environment)];
  return !names.includes("") && !texts.some((text) => text.includes("\0"));
}

/** The fields of the message that asks for it. */
export function toRequest(
  id: string,
  launch: ProcessLaunch,
  { hasInput, fds }: { readonly hasInput: boolean; readonly fds: readonly number[] },
): readonly string[] {
  const { file, args, cwd, environment, endsFirst = false, takeListener, marker } = launch;
  const variables = Object.entries({ ...environment, [markerVariable]: marker }).map(
    ([name, value]) => `${name}=${value}`,
  );
  return [
    "start",
    id,
    hasInput ? "1" : "",
    endsFirst ? "1" : "",
    cwd,
    file,
    [...fds, ...(takeListener ? ["channel"] : [])].join(","),
    String(variables.length),
    ...variables,
    file,
    ...args,
  ];
}
