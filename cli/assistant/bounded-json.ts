/** A list of which only the first items are in the result. */
interface Shortened {
  /** Keys and indices from the root. */
  readonly path: string;
  readonly shown: number;
  readonly of: number;
}

/**
 * JSON of at most `limit` characters: the largest lists are halved until it fits, and `shortened` names them. If no list is left
 * to halve, `cut` is the start of the JSON as text.
 */
export function boundedJson(value: unknown, limit: number): string {
  const whole = JSON.stringify(value);
  if (whole.length <= limit) return whole;
  const result: unknown = JSON.parse(whole);
  const shortened = new Map<string, Shortened>();
  for (;;) {
    const text = JSON.stringify({ shortened: [...shortened.values()], result });
    if (text.length <= limit) return text;
    const largest = largestList(result, '');
    // As a text inside JSON, it takes at most twice its length.
    if (largest === undefined) return JSON.stringify({ cut: text.slice(0, limit / 2 - 10) });
    const { path, list } = largest;
    const of = shortened.get(path)?.of ?? list.length;
    list.length = Math.floor(list.length / 2);
    shortened.set(path, { path, shown: list.length, of });
  }
}

interface FoundList {
  readonly path: string;
  readonly list: unknown[];
  readonly size: number;
}

/** The list whose items have the most characters, without its inner lists that have nearly all of them. */
function largestList(value: unknown, path: string): FoundList | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const ownList: FoundList | undefined =
    Array.isArray(value) && value.length > 0
      ? { path, list: value, size: JSON.stringify(value).length }
      : undefined;
  const inner = Object.entries(value).flatMap(
    ([key, item]) => largestList(item, path === '' ? key : `${path}.${key}`) ?? [],
  );
  const [largest] = inner.toSorted((a, b) => b.size - a.size);
  if (ownList === undefined) return largest;
  // If one item has nearly everything, the list inside of it is halved.
  const isInside = ownList.list.length === 1 || (largest?.size ?? 0) > ownList.size * 0.8;
  return isInside && largest !== undefined ? largest : ownList;
}
