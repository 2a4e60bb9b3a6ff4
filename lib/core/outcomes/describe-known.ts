import { numberOf } from '../text/number-of.ts';

interface Known {
  /** Number of findings that the baseline has. */
  readonly inBaseline: number;
  /** Number of findings that only the base has. */
  readonly ofBase: number | undefined;
}

/** How many findings do not count because they are known: one sentence for the baseline, one for the base. */
export function describeKnown({ inBaseline, ofBase = 0 }: Known): string[] {
  const be = ofBase === 1 ? 'is' : 'are';
  return [
    ...(inBaseline === 0 ? [] : [`${numberOf(inBaseline, 'known finding')} in the baseline, not counted.`]),
    ...(ofBase === 0 ? [] : [`${numberOf(ofBase, 'known problem')} of the base ${be} not counted.`]),
  ];
}
