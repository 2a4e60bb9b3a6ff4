/**
 * The texts that a date format accepts. Each field is the source of a regular expression that matches the whole text.
 */
export interface FormatForms {
  /** Texts that have the format. They may still be out of range, such as the 30th of February. */
  readonly plain: string;
  /** Texts that almost have the format. It is not documented whether the warehouse reads them. */
  readonly unsure: string;
  /**
   * A form in which the first group is the name of the day of the week. Only set if the format contains such a name.
   */
  readonly weekday?: string;
}

const SPACE = String.raw`[ \t\r\n\f\v]*`;

/**
 * For each element of DuckDB's formats that `formatOf` writes: the texts that it surely reads, and the texts that it
 * may read.
 */
const ELEMENTS: Readonly<Record<string, readonly [plain: string, unsure: string]>> = {
  Y: [String.raw`(?:[1-9]\d{3}|0[1-9]\d{2}|00[1-9]\d|000[1-9])`, String.raw`[+-]?\d{1,9}`],
  f: [String.raw`\d{1,6}`, String.raw`\d{1,9}`],
  p: ['[AaPp][Mm]', String.raw`[AaPp]\.?[Mm]\.?`],
  B: ['[A-Za-z]{3,9}', '[A-Za-z]+'],
  b: ['[A-Za-z]{3}', '[A-Za-z]+'],
  a: ['[A-Za-z]{3}', '[A-Za-z]+'],
};

/**
 * The texts that a format of DuckDB accepts and that the warehouse is certain to accept too. Undefined for a format
 * without a year, because warehouses differ in the year that they assume.
 */
export function formatForms(format: string): FormatForms | undefined {
  const tokens: readonly string[] = format.match(/%.|[^%]/gs) ?? [];
  if (!tokens.some((token) => token === '%Y' || token === '%y')) return undefined;
  const isDigits = (token = '') => /^%[^pBba]$/.test(token);
  const parts = tokens.map((token, index): readonly [string, string] => {
    if (!token.startsWith('%')) {
      const literal = token.replaceAll(/[^A-Za-z0-9 _]/g, String.raw`\$&`);
      return [literal, `${SPACE}${literal}${SPACE}`];
    }
    const isFixed = token === '%y' || isDigits(tokens[index - 1]) || isDigits(tokens[index + 1]);
    return (
      ELEMENTS[token.slice(1)] ?? [
        isFixed ? String.raw`\d{2}` : String.raw`\d{1,2}`,
        String.raw`[+-]?\d{1,9}`,
      ]
    );
  });
  const unsure = parts.map(([, loose]) => loose).join(SPACE);
  const plain = parts.map(([form]) => form).join('');
  const grouped = parts.map(([form], index) => (tokens[index] === '%a' ? `(${form})` : form)).join('');
  return {
    plain,
    unsure: `${SPACE}${unsure}${SPACE}`,
    ...(tokens.includes('%a') && { weekday: grouped }),
  };
}
