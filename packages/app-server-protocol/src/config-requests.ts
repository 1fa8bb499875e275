import * as z from "zod";

const edit = z.object({
  keyPath: z.string().min(1),
  /** Null removes the key. */
  value: z.unknown(),
  /** `replace`: a table loses its other keys. Absent: they stay. */
  mergeStrategy: z.enum(["replace", "upsert"]).nullish(),
});
const target = {
  /** Only the user's own config.toml can be written. */
  filePath: z.string().nullish(),
  /** `version` of an earlier result: nothing is written if the file has changed since. */
  expectedVersion: z.string().nullish(),
};
const written = z.object({
  status: z.literal("ok"),
  version: z.string(),
  filePath: z.string(),
  overriddenMetadata: z.null(),
});

/** Requests that write the user's config, by method. */
export const configRequests = {
  "config/value/write": { params: z.object({ ...edit.shape, ...target }), result: written },
  "config/batchWrite": { params: z.object({ edits: z.array(edit), ...target }), result: written },
} as const;
