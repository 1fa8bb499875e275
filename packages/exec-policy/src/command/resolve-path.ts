/** The segments of an absolute path, without `.` and `..`. */
export function resolvePath(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}

/** Whether a path is a folder or lies below it, by the paths alone; both absolute. */
export function isBelow(path: string, folder: string): boolean {
  const segments = resolvePath(path);
  return resolvePath(folder).every((segment, index) => segments[index] === segment);
}
