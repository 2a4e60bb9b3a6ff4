/** How much of its full length each trial gets. */
export interface Scale {
  /** As given: `0.2`, or `1,T1=0.4,T2=0.25`. */
  readonly text: string;
  of(trial: string): number;
}

/** Reads `--scale`: a number for all trials, then others for single trials. Undefined if it is not valid. */
export function readScale(text: string, trials: readonly string[]): Scale | undefined {
  const [common = '', ...single] = text.split(',');
  const own = new Map(
    single.map((one) => {
      const [trial = '', factor] = one.split('=');
      return [trial, Number(factor)] as const;
    }),
  );
  const sensible =
    [Number(common), ...own.values()].every((factor) => factor > 0 && Number.isFinite(factor)) &&
    [...own.keys()].every((trial) => trials.includes(trial));
  return sensible ? { text, of: (trial) => own.get(trial) ?? Number(common) } : undefined;
}
