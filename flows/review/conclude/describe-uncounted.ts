import { numberOf } from '../../../lib/core/text/number-of.ts';

/** The note for a baseline without counts, which an older version recorded. `command` records them. */
export function describeUncounted(count: number, command = 'millrace review --update-baseline'): string {
  const them = count === 1 ? 'it' : 'them';
  return `${numberOf(count, 'known finding')} may still grow: the baseline has no count for ${them}. Record the counts with \`${command}\`.`;
}
