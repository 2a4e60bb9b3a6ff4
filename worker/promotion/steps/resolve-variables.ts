const dayMs = 86_400_000;

/** Values of millrace.yaml that mean a day; any other value is sent as written. */
const days: Readonly<Record<string, number>> = { today: 0, yesterday: -1, tomorrow: 1 };

/**
 * The variables of a verification as sent. `today`, `yesterday` and `tomorrow` become the date (YYYY-MM-DD,
 * UTC) of the day on which the verification began. The record holds that moment, so that a worker that
 * continues the promotion later, on another day or machine, sends the same.
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
