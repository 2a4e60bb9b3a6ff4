import type { Call } from '../parse/tree.ts';
import { changesEachTime } from './query/columns.ts';
import { convert } from './casts/convert.ts';
import { fullName } from './query/from.ts';
import { duckType, type Typed } from './sql/typed.ts';
import { refusal, sqlError, write, type Writing } from './sql/writing.ts';

/** A call of a function that SQL has created; undefined where there is none of this name. */
export function writeUserCall(call: Call, writing: Writing): Typed | undefined {
  const { at, name, values } = call;
  const path = call.path ?? [{ text: name, isQuoted: false, at }];
  if (path.length > 3) return undefined;
  const found = writing.session.context.catalog.findFunction?.(fullName(path, writing));
  if (found === undefined) return undefined;
  const isPlain = !call.isDistinct && !call.hasStar && !call.window && !call.withinGroup;
  if (!isPlain || call.named.size > 0) throw refusal(`this form of a call of ${name}`, at, writing);
  const { parameters, returns, sql } = found;
  if (values.length !== parameters.length)
    throw sqlError(`${name} takes ${countText(parameters.length)}, not ${values.length}`, at, writing);
  // The body may use an argument several times.
  if (changesEachTime(values))
    throw refusal(`a value that differs with each use as an argument of ${name}`, at, writing);
  const given = parameters.map((type, index) => {
    const value = values[index];
    if (value === undefined) throw new Error('no such argument');
    return `CAST(${convert(write(value, writing), type, at, writing).sql} AS ${duckType(type)})`;
  });
  return { sql: `${sql}(${given.join(', ')})`, type: returns };
}

function countText(count: number): string {
  return `${count} ${count === 1 ? 'argument' : 'arguments'}`;
}
