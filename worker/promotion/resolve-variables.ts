const dayMs = 86_400_000;

/** Words of millrace.yaml that stand for a day; any other value is taken as it is written. */
const days: Readonly<Record<string, number>> = { today: 0, yesterday: -1, tomorrow: 1 };

/**
 * The variables of a verification as they are sent. `today`, `yesterday` and `tomorrow` become the date (YYYY-MM-DD,
 * UTC) of the day on which the verification began: the record holds that moment, so that whoever takes the promotion up
 * later, on another day or another machine, sends the same.
 */
export function resolveVariables(
  variables: Readonly<Record<string, string>>,
  since: number,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const shift = Object.hasOwn(days, value) ? days[value] : undefined;
      return [name, shift === undefined ? value : new Date(since + shift * dayMs).toISOString().slice(0, 10)];
    }),
  );
}
