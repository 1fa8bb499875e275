import type { ThreadQuery, ThreadSummary } from "@unroll/protocol";
import type { Database, Row } from "./database.ts";
import { threadColumns, toSummary } from "./parse-rows.ts";

const pageRows = 100;

/** The latest used first. */
export async function* listThreads(database: Database, query: ThreadQuery): AsyncGenerator<ThreadSummary, void> {
  let [after, left] = [query.after ?? null, query.limit ?? Infinity];
  while (left > 0) {
    const rows = await readPage(database, {
      ...query,
      ...(after !== null && { after }),
      limit: Math.min(left, pageRows),
    });
    for (const row of rows) yield toSummary(row);
    if (rows.length < pageRows) return;
    left -= rows.length;
    after = String(rows.at(-1)?.["id"]);
  }
}

function readPage({ run, tables }: Database, query: ThreadQuery): Promise<readonly Row[]> {
  const { cwd, archived = false, search, parent, after, limit } = query;
  return run(
    `select ${threadColumns} from ${tables.thread} t join ${tables.head} h on h.thread = t.id
     where (t.archived_at is not null) = $1 and ($2::text is null or t.cwd = $2)
     and ($3::text is null or concat_ws(chr(10), t.facts->>'name', t.facts->>'title') ilike $3)
     and ($4::text is null or (t.used_at, t.id) < (select used_at, id from ${tables.thread} where id = $4))
     and ($6::text is null or t.facts->'parent'->>'threadId' = $6)
     order by t.used_at desc, t.id desc limit $5`,
    [archived, cwd ?? null, search === undefined ? null : toPattern(search), after ?? null, limit, parent ?? null],
  );
}

function toPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
