import { quote } from '../differential-case.ts';

/** What the columns of `plain` and `other` with the same name have in common. */
const commonTypes: Readonly<Record<string, string>> = {
  AMOUNT: 'double precision',
  RATE: 'double precision',
  DAY: 'timestamp',
  AT: 'timestamp',
  OK: 'text',
};

/** A column of either shape as a value of the common type. */
export function commonValue(name: string): string {
  const type = commonTypes[name];
  return type === undefined ? quote(name) : `CAST(${quote(name)} AS ${type})`;
}
