import { open } from "node:fs/promises";
import { openPlainFile } from "@unroll/files";

/** A file that is only ever written at a place that its writer knows. */
export interface AppendFile {
  /** Writes all of it, or throws what the system said. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Has the system put it on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file, made with mode 0600 where there is none. */
export type OpenAppendFile = (path: string) => Promise<AppendFile>;

export const openAppendFile: OpenAppendFile = async (path) => {
  const handle = await openPlainFile(path, "update").catch(() => open(path, "wx+", 0o600));
  return {
    async write(bytes, position) {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    },
    truncate: (length) => handle.truncate(length),
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
};
