/** The texts that a format accepts, as sources of regular expressions that match the whole text. */
export interface FormatForms {
  /** Texts that have the format. They may still be out of range, as the 30th of February is. */
  readonly plain: string;
  /** Texts that nearly have it: it is not documented whether the warehouse reads them. */
  readonly unsure: string;
  /** The form with the name of the day of the week as its first group, if the format has one. */
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
 * The texts that a format of DuckDB accepts and that the warehouse certainly accepts too; undefined for a format
 * without a year, because the default year differs.
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
