import { numberOf } from '../../lib/core/number-of.ts';

/** What to say where the baseline holds no counts, because an older version recorded it. */
export function describeUncounted(count: number): string {
  const of = count === 1 ? 'it' : 'them';
  return `${numberOf(count, 'known finding')} may still grow: the baseline holds no count of ${of}. \`millrace review --update-baseline\` records the counts.`;
}
