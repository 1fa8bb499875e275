/** The names of the tables, ready for statements. */
export interface Tables {
  readonly schema: string;
  readonly meta: string;
  readonly thread: string;
  readonly head: string;
  readonly line: string;
  readonly token: string;
}

/** The version of the tables that this code makes, and the newest that it knows. 2 added the index of parents. */
export const tablesVersion = 2;
/** The oldest version of this code that can work with its tables. */
const oldestClient = 1;

export function toTables(schema: string): Tables {
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema)) throw new Error(`${schema} is not a name for a schema.`);
  const name = (table: string): string => `${schema}.${table}`;
  return {
    schema,
    meta: name("meta"),
    thread: name("thread"),
    head: name("head"),
    line: name("line"),
    token: name("token"),
  };
}

/**
 * Makes what is missing, so it also updates the tables of an older version.
 * `head` is apart from `thread`, because each append updates it: without an index on what changes, PostgreSQL updates in place.
 * `line.at` is the offset of these bytes in the thread. Ids compare by their bytes, so their beginnings are ranges.
 */
export function createTables({ schema, meta, thread, head, line, token }: Tables): string {
  return `
    select pg_advisory_xact_lock(hashtext('unroll tables ${schema}'));
    create schema if not exists ${schema};
    create table if not exists ${meta} (version int not null, min_client int not null);
    insert into ${meta} select ${tablesVersion}, ${oldestClient} where not exists (select from ${meta});
    update ${meta} set version = ${tablesVersion} where version < ${tablesVersion};
    create sequence if not exists ${token};
    create table if not exists ${thread} (
      id text collate "C" primary key, cwd text, used_at timestamptz not null, archived_at timestamptz, facts jsonb not null);
    create index if not exists thread_used on ${thread} (used_at desc, id desc) where archived_at is null;
    create index if not exists thread_folder on ${thread} (cwd, used_at desc, id desc) where archived_at is null;
    create index if not exists thread_parent on ${thread} ((facts->'parent'->>'threadId'));
    create table if not exists ${head} (
      thread text collate "C" primary key, bytes bigint not null, token bigint not null, holder text, held_until timestamptz)
      with (fillfactor = 50);
    create table if not exists ${line} (
      thread text collate "C", at bigint, bytes bytea not null, primary key (thread, at));
    alter table ${line} alter bytes set storage external;`;
}
