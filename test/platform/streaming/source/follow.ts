import { createDecoder } from '../../../../platform/streaming/source/decode-message.ts';
import type { Change, Commit, Position, Tuple } from '../../../../platform/streaming/source/messages.ts';
import { openSource } from '../../../../platform/streaming/source/open-source.ts';
import type {
  ChangeStream,
  NewSlot,
  Source,
  SourceAddress,
  SourceTable,
} from '../../../../platform/streaming/source/source.ts';

/** A transaction of the source, as it was decoded. */
export interface Transaction {
  readonly changes: readonly Change[];
  readonly commit: Commit;
}

/** A source with a slot, its publication, and the stream that begins there. Everything ends with it. */
export interface Followed extends AsyncDisposable {
  readonly source: Source;
  readonly slot: NewSlot;
  readonly stream: ChangeStream;
  /** The next transactions with changes. Acknowledges none. */
  take(count: number): Promise<readonly Transaction[]>;
}

export const publicTable = (table: string): SourceTable => ({ schema: 'public', table });

/** The name of slot and publication: slots belong to the server, not to a database. */
export const pipelineOf = ({ database }: SourceAddress): string => `millrace_${database}`;

/** Publishes tables, creates a slot with its snapshot, and streams from it. */
export async function follow(address: SourceAddress, tables: readonly SourceTable[]): Promise<Followed> {
  const stack = new AsyncDisposableStack();
  try {
    const source = stack.use(await openSource(address));
    const name = pipelineOf(address);
    await source.publish(name, tables);
    // No table is locked: tests change them while the snapshot is open.
    const slot = stack.use(await source.createSlot(name, { isTemporary: false, tables: [] }));
    const stream = stack.use(await streamFrom(source, name, slot.position));
    const take = takeFrom(stream);
    return { source, slot, stream, take, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

export function streamFrom(
  source: Source,
  name: string,
  from: Position,
  signal: AbortSignal = new AbortController().signal,
): Promise<ChangeStream> {
  return source.stream({ slot: name, publication: name, from, signal });
}

/** Reads transactions with changes from a stream. */
export function takeFrom(stream: ChangeStream): Followed['take'] {
  const decoder = createDecoder();
  const lists = stream.messages()[Symbol.asyncIterator]();
  const ready: Transaction[] = [];
  let changes: Change[] = [];
  const add = (bytes: Buffer): void => {
    const message = decoder.decode(bytes);
    if (message.kind === 'begin') changes = [];
    else if (message.kind === 'commit') {
      if (changes.length > 0) ready.push({ changes, commit: message });
    } else if (message.kind !== 'relation' && message.kind !== 'other') changes.push(message);
  };
  return async (count) => {
    while (ready.length < count) {
      const next = await lists.next();
      if (next.done === true) throw new Error('the stream has ended');
      for (const bytes of next.value) add(bytes);
    }
    return ready.splice(0, count);
  };
}

/** All rows of a table in a snapshot. */
export async function copied(
  slot: NewSlot,
  table: SourceTable,
  columns: readonly string[],
): Promise<readonly Tuple[]> {
  const rows: Tuple[] = [];
  for await (const list of slot.copy(table, columns, 1000)) rows.push(...list);
  return rows;
}

/** A change in short: its kind, and its rows. */
export function brief(change: Change): readonly unknown[] {
  switch (change.kind) {
    case 'insert':
      return ['insert', change.after];
    case 'update':
      return ['update', change.before, change.after];
    case 'delete':
      return ['delete', change.before];
    case 'truncate':
      return ['truncate', ...change.relations.map(({ table }) => table)];
  }
}
