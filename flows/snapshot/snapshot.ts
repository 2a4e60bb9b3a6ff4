/**
 * What the pipelines of one commit are and do, without their files. It is enough to tell what changes between two
 * commits without git and the engine. Paths are relative to the project. Lines are only for people, and are not
 * compared.
 */
export interface Snapshot {
  readonly format: typeof snapshotFormat;
  /** The kind of warehouse that the pipelines run on. */
  readonly warehouse: string;
  /** Whether the pipelines were bound on empty tables. Otherwise only names of tables are known. */
  readonly columns: 'known' | 'unknown';
  /** What `[Environment Default]` means in names of tables. */
  readonly defaults: { readonly database: string; readonly schema: string };
  readonly pipelines: readonly SnapshotPipeline[];
  /** Pipelines that `files` in millrace.yaml leaves out. */
  readonly leftOut: readonly string[];
  /** All tables that pipelines, streaming pipelines and `schemas` in millrace.yaml name. */
  readonly tables: readonly SnapshotTable[];
  /** Scripts that components run. */
  readonly files: readonly SnapshotFile[];
  readonly streaming: readonly SnapshotStreaming[];
  /** The shared pipelines that the project publishes. */
  readonly shared?: SnapshotShared | undefined;
  /** What is not known of the files of the project: one sentence each. */
  readonly unread: readonly string[];
}

/** The version of the format. A reader refuses any other version. */
export const snapshotFormat = 1;

export interface SnapshotPipeline {
  readonly path: string;
  /** SHA-256 of what the file means, 32 hexadecimal digits: positions, comments, the order of keys and the form of SQL mean nothing. */
  readonly digest: string;
  /** The line of a finding about the whole file. */
  readonly line: number;
  /** Why the file cannot be read: then nothing else is known of it. */
  readonly unreadable?:
    { readonly line: number; readonly column: number; readonly message: string } | undefined;
  readonly components: readonly SnapshotComponent[];
  /** The variables that it declares. */
  readonly variables: readonly SnapshotDeclaration[];
  /** The names of variables that it and its scripts use. */
  readonly uses: readonly string[];
  /** What its components call the connectors that they read. */
  readonly connectors: readonly string[];
  readonly calls: readonly SnapshotCall[];
  readonly scripts: readonly SnapshotScript[];
  readonly reads: readonly SnapshotRead[];
  readonly writes: readonly SnapshotWrite[];
  /** Tables whose names are known only at run time. */
  readonly open: readonly SnapshotOpenUse[];
  /** Components that could not be bound. */
  readonly unknown: readonly SnapshotUnknown[];
  /** Components that may use tables of which the binding knows nothing. */
  readonly parts: readonly SnapshotPart[];
  /** Functions, sequences, stages and other objects besides tables that its SQL creates, alters or drops. */
  readonly defines: readonly SnapshotObject[];
  /** The objects of the project that it uses. */
  readonly objects: readonly { readonly key: string; readonly line: number }[];
}

export interface SnapshotComponent {
  readonly name: string;
  readonly type: string;
  readonly line: number;
  /** 16 hexadecimal digits. */
  readonly digest: string;
  /** Its place among the components that run in the order of the file. */
  readonly rank?: number | undefined;
  /**
   * For runs of lines, `line:` and four characters for what each of them says; after `|` the same for the sizes of lists and maps. They tell
   * which line differs, and nothing else.
   */
  readonly marks: string;
}

export interface SnapshotDeclaration {
  readonly name: string;
  readonly line: number;
  readonly digest: string;
}

/** A component that runs another pipeline. */
export interface SnapshotCall {
  readonly component: string;
  readonly line: number;
  readonly kind: 'orchestration' | 'transformation' | 'shared';
  /** As written: a path, or `prefix#id` of a shared pipeline. */
  readonly target: string;
  /** Of a shared pipeline, as written; left out if the file has none. */
  readonly version?: string | undefined;
  /** The called pipeline of the project; left out if there is none, and if it is known only at run time. */
  readonly path?: string | undefined;
  /** The target is known only at run time. */
  readonly dynamic?: true | undefined;
  /** The target certainly is a pipeline of the project, also one that does not exist. */
  readonly own?: true | undefined;
  /** The caller uses a result of the call. */
  readonly result?: true | undefined;
  /** Data decide whether the call is reached, or with which values. */
  readonly fromData?: true | undefined;
  /** Variables may decide it. */
  readonly fromVariables?: true | undefined;
  /** A digest of all that decides it. */
  readonly context: string;
}

/** A file with the script of a component. */
export interface SnapshotScript {
  readonly component: string;
  readonly line: number;
  readonly path: string;
  /** The path has `*` in place of each variable. */
  readonly open?: true | undefined;
  readonly sql?: true | undefined;
}

/** A component that uses a table. `table`: its key. */
interface SnapshotUse {
  readonly table: string;
  readonly component: string;
  readonly line: number;
  /** The script, if the place is in one. */
  readonly file?: string | undefined;
}

export interface SnapshotRead extends SnapshotUse {
  /** Columns that are read by their names. */
  readonly columns: readonly string[];
  /** It reads all columns. */
  readonly all?: true | undefined;
  /** The component could not be bound, so that `columns` may lack some. */
  readonly unbound?: true | undefined;
}

export const writeModes = ['define', 'alter', 'insert', 'change', 'drop'] as const;

export interface SnapshotWrite extends SnapshotUse {
  /** `define`: creates or replaces it; `alter`: changes its columns; `change`: updates or deletes rows; `drop`: removes it. */
  readonly mode: (typeof writeModes)[number];
}

export interface SnapshotOpenUse {
  /** Database, schema and name, with `*` in place of what is not known. */
  readonly name: SnapshotName;
  readonly component: string;
  readonly line: number;
  readonly effect: 'read' | 'write';
}

export interface SnapshotUnknown {
  readonly component: string;
  readonly line: number;
  readonly file?: string | undefined;
  readonly reason: string;
  readonly tables: readonly string[];
  /** The reason is only that a source could not be bound. */
  readonly after?: true | undefined;
}

export interface SnapshotPart {
  readonly component: string;
  readonly line: number;
  /** The tables that its text names: names without database and schema, in lower case. */
  readonly words: readonly string[];
  /** Names of tables with `*` in place of what is not known. */
  readonly open: readonly string[];
  /** The tables that it may write. `any`: any table, if it names none. */
  readonly writes: readonly { readonly words: readonly string[]; readonly any?: true | undefined }[];
}

export interface SnapshotObject {
  readonly key: string;
  readonly name: string;
}

/** The database, schema and name of a table, as the warehouse stores them. */
export type SnapshotName = readonly [database: string, schema: string, table: string];

export interface SnapshotTable {
  readonly name: SnapshotName;
  /** Components and streaming pipelines that create or alter it. */
  readonly definitions: readonly SnapshotDefinition[];
  /** Names and types, in their order; left out if none is known. */
  readonly columns?: readonly (readonly [name: string, type: string])[] | undefined;
  /** All columns are known. */
  readonly complete?: true | undefined;
  /** No type is a guess. */
  readonly typed?: true | undefined;
  /** Code that cannot be bound names the table. */
  readonly mentioned?: true | undefined;
  /** The file of `schemas` in millrace.yaml that declares it, and a digest of the declared columns. */
  readonly declared?: { readonly file: string; readonly digest: string } | undefined;
}

export interface SnapshotDefinition {
  /** Of a streaming pipeline, its file. */
  readonly pipeline: string;
  readonly component: string;
  readonly line: number;
  readonly file?: string | undefined;
  readonly mode: 'define' | 'alter';
  /** A digest of all columns after it; left out if they are not known. */
  readonly digest?: string | undefined;
  readonly streaming?: true | undefined;
}

export interface SnapshotFile {
  readonly path: string;
  /** Of what the SQL means; if a component runs it as something else than SQL, of the text. */
  readonly digest: string;
}

export interface SnapshotStreaming {
  readonly file: string;
  readonly line: number;
  readonly digest: string;
  /** The tables that it writes. */
  readonly tables: readonly string[];
}

export interface SnapshotShared {
  readonly prefix: string;
  /** `pipeline` as written; `path`: the pipeline of the project, if there is one. */
  readonly pipelines: readonly {
    readonly id: string;
    readonly pipeline: string;
    readonly path?: string | undefined;
  }[];
}

/**
 * The name of a table as a key: its parts joined by dots, quoted if they contain characters other than letters,
 * digits, `_` and `$`.
 */
export function tableKeyOf(name: SnapshotName): string {
  return name.map((part) => (/^[\p{L}\p{N}_$]+$/u.test(part) ? part : JSON.stringify(part))).join('.');
}
