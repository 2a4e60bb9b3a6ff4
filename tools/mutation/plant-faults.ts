/** One fault in one file. */
export interface Fault {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly kind: string;
  /** The file with the fault. */
  readonly text: string;
}

interface FaultKind {
  readonly kind: string;
  /** The replaced text; each place with it is a separate fault. */
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** Faults as people make them. The pattern must not match names or descriptions. */
const kinds: readonly FaultKind[] = [
  { kind: 'inner for left join', pattern: /(- "\w+"\n\s+- )"Left"/g, replacement: '$1"Inner"' },
  { kind: 'left for inner join', pattern: /(- "\w+"\n\s+- )"Inner"/g, replacement: '$1"Left"' },
  { kind: 'condition negated', pattern: /- "Is"$/gm, replacement: '- "Not"' },
  { kind: 'wrong comparator', pattern: /- "Equal to"$/gm, replacement: '- "Less than"' },
  { kind: 'filter off by one', pattern: /- "Less than"$/gm, replacement: '- "Less than or equal to"' },
  { kind: 'wrong aggregate', pattern: /- "Sum"$/gm, replacement: '- "Max"' },
  { kind: 'count for sum', pattern: /- "Sum"$/gm, replacement: '- "Count"' },
  { kind: 'smallest for largest', pattern: /- "Max"$/gm, replacement: '- "Min"' },
  { kind: 'wrong order', pattern: /- "Descending"$/gm, replacement: '- "Ascending"' },
  { kind: 'or for and', pattern: /combineCondition: "And"/g, replacement: 'combineCondition: "Or"' },
  { kind: 'and for or', pattern: /combineCondition: "Or"/g, replacement: 'combineCondition: "And"' },
  { kind: 'swapped inputs', pattern: /masterTable: "Known/g, replacement: 'masterTable: "Staged' },
  { kind: 'delete for update', pattern: /- "Update"$/gm, replacement: '- "Delete"' },
  { kind: 'new rows left out', pattern: /includeNotMatched: "Yes"/g, replacement: 'includeNotMatched: "No"' },
  { kind: 'table emptied', pattern: /outputMode: "Append"/g, replacement: 'outputMode: "Truncate"' },
  { kind: 'wrong operator', pattern: / \* \\"/g, replacement: String.raw` + \"` },
  { kind: 'wrong operator', pattern: /\\" - lag/g, replacement: String.raw`\" + lag` },
  { kind: 'wrong offset', pattern: /, 7\)/g, replacement: ', 6)' },
  { kind: 'wrong match key', pattern: /\\" = \\"/g, replacement: String.raw`\" <> \"` },
  { kind: 'decimals lost', pattern: /(- "12"\n\s+- )"2"/g, replacement: '$1"0"' },
  { kind: 'a grouping or column left out', pattern: /^ {8}- "[A-Z_]+"\n/gm, replacement: '' },
  {
    kind: 'a row of a parameter left out',
    pattern: /^ {8}- - "[^"\n]+"\n(?: {10}- .*\n)+/gm,
    replacement: '',
  },
  {
    kind: 'rows of other columns',
    pattern: /includeInputColumns: "Yes"/g,
    replacement: 'includeInputColumns: "No"',
  },
  { kind: 'written to another table', pattern: /(targetTable: "\w+)"/g, replacement: '$1_OLD"' },
  { kind: 'branches swapped', pattern: /"true":(\n.*\n\s+)"false":/g, replacement: '"false":$1"true":' },
  { kind: 'a transition left out', pattern: /^ {8}- "[A-Z][\w ]+"\n/gm, replacement: '' },
  { kind: 'a round too few', pattern: /startingValue: "7"/g, replacement: 'startingValue: "6"' },
  { kind: 'a round too few', pattern: /endValue: "1"/g, replacement: 'endValue: "2"' },
  { kind: 'wrong aggregate in SQL', pattern: /\bsum\(/g, replacement: 'max(' },
  { kind: 'wrong aggregate in SQL', pattern: /\bmax\(/g, replacement: 'min(' },
  { kind: 'wrong comparison in SQL', pattern: / = (?=[a-z'])/g, replacement: ' <> ' },
  { kind: 'wrong sign in SQL', pattern: /current_date - /g, replacement: 'current_date + ' },
  { kind: 'a join left out', pattern: /\\r\\njoin regions[^\\]*/g, replacement: '' },
];

/** Every fault of every kind in a file, in the order of the kinds. */
export function plantFaults(file: string, text: string): readonly Fault[] {
  const end = text.indexOf('\ndesign:\n');
  const body = end < 0 ? text : text.slice(0, end);
  return kinds.flatMap(({ kind, pattern, replacement }) =>
    [...body.matchAll(pattern)].flatMap((match): readonly Fault[] => {
      const single = new RegExp(pattern.source, pattern.flags.replace('g', ''));
      const changed = match[0].replace(single, replacement);
      if (changed === match[0]) return [];
      const line = body.slice(0, match.index).split('\n').length;
      const faulty = text.slice(0, match.index) + changed + text.slice(match.index + match[0].length);
      return [{ file, line, kind, text: faulty }];
    }),
  );
}
