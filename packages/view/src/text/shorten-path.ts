/** A path in the folder by its relative path; any other as it is. */
export function shortenPath(path: string, folder: string): string {
  const prefix = /[\\/]$/.test(folder) ? folder : `${folder}${folder.includes("\\") ? "\\" : "/"}`;
  return path.startsWith(prefix) && path.length > prefix.length ? path.slice(prefix.length) : path;
}
