import { hash } from 'node:crypto';
import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import { canonicalJson, type JsonValue } from '../../lib/core/values/canonical-json.ts';
import type { Snapshot } from './snapshot.ts';

/** The one order of a snapshot's lists: equal snapshots are equal texts, whatever the order was in which a project was read. */
export function canonicalSnapshot(snapshot: Snapshot): Snapshot {
  return ordered(snapshot as unknown as Value, 0, nothing).value as unknown as Snapshot;
}

/** A snapshot as canonical JSON. */
export function snapshotText(snapshot: Snapshot): string {
  return ordered(snapshot as unknown as Value, 0, nothing).text;
}

/**
 * SHA-256 of what a snapshot says, as 64 hexadecimal digits. Lines and columns of places do not count: comments and blanks move them.
 * Neither does the order of lists.
 */
export function snapshotDigest(snapshot: Snapshot): string {
  return hash('sha256', ordered(snapshot as unknown as Value, 0, places).text);
}

type Value = JsonValue & object;

const nothing: ReadonlySet<string> = new Set();
/** Where something is, and not what it is. */
const places = new Set(['line', 'column', 'marks']);
/** What names an entry of a list: lists are in the order of it. */
const names = ['path', 'name', 'file', 'key', 'component'] as const;

interface Ordered {
  readonly value: JsonValue;
  readonly text: string;
  readonly name: string;
}

/** A value with its lists in their order, without some keys; with its canonical text. */
function ordered(value: JsonValue, depth: number, without: ReadonlySet<string>): Ordered {
  if (typeof value === 'string') {
    // A text of YAML may have half of a surrogate pair, which no file of UTF-8 can have.
    const text = value.toWellFormed();
    return { value: text, text: JSON.stringify(text), name: text };
  }
  if (typeof value !== 'object' || value === null) {
    const text = canonicalJson(value);
    return { value, text, name: text };
  }
  if (isList(value)) {
    const items = value.map((item) => ordered(item, depth + 1, without));
    // A list of lists has the columns of a table in their order; each is a pair.
    const isSorted = depth > 0 && !value.some((item) => isList(item));
    if (isSorted) items.sort((a, b) => compareTexts(a.name, b.name) || compareTexts(a.text, b.text));
    return {
      value: items.map((item) => item.value),
      text: `[${items.map((item) => item.text).join(',')}]`,
      name: '',
    };
  }
  const result: Record<string, JsonValue> = {};
  const parts: string[] = [];
  for (const key of Object.keys(value).toSorted()) {
    const part = (value as Readonly<Record<string, JsonValue | undefined>>)[key];
    if (part === undefined || without.has(key)) continue;
    // The three parts of a name are not a list that may be sorted.
    const inner = isTuple(key, part) ? tuple(part) : ordered(part, depth + 1, without);
    result[key] = inner.value;
    parts.push(`${JSON.stringify(key)}:${inner.text}`);
  }
  const name = names.map((key) => result[key]).find((each) => each !== undefined);
  return {
    value: result,
    text: `{${parts.join(',')}}`,
    name: typeof name === 'string' ? name : JSON.stringify(name ?? ''),
  };
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isTuple(key: string, value: JsonValue): value is readonly JsonValue[] {
  return isList(value) && (key === 'name' || value.some((item) => isList(item)));
}

function tuple(value: readonly JsonValue[]): Ordered {
  const parts = value.map((part) => (isList(part) ? tuple(part) : ordered(part, 0, nothing)));
  return {
    value: parts.map((part) => part.value),
    text: `[${parts.map(({ text }) => text).join(',')}]`,
    name: '',
  };
}
