import * as z from "zod";

/** Absolute. */
const ofPath = z.object({ path: z.string().min(1) });

/** Requests for files, which may only be read, by method. */
export const fileRequests = {
  "fs/readFile": { params: ofPath, result: z.object({ dataBase64: z.string() }) },
  "fs/readDirectory": {
    params: ofPath,
    result: z.object({
      entries: z.array(z.object({ fileName: z.string(), isDirectory: z.boolean(), isFile: z.boolean() })),
    }),
  },
  "fs/getMetadata": {
    params: ofPath,
    result: z.object({
      isDirectory: z.boolean(),
      isFile: z.boolean(),
      isSymlink: z.boolean(),
      /** In ms since 1970; 0: not known. */
      createdAtMs: z.int(),
      modifiedAtMs: z.int(),
    }),
  },
} as const;
