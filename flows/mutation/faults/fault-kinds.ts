/**
 * Every kind of change that is planted, and its description in the documentation. Most are typical mistakes; the
 * others show that no test has a row for a part of a pipeline.
 */
export const faultKinds = {
  comparison: 'another comparison: `Greater than` → `Greater than or equal to`, `=` → `<>`',
  negation: '`Is` → `Not`, `IN` → `NOT IN`, and the reverse',
  combination: '`And` → `Or`, and the reverse',
  constant: 'the next number, day or text in a comparison, a limit, a distance or a result',
  arithmetic: '`+` ↔ `-`, `*` ↔ `/`',
  'join-type': '`Left` ↔ `Inner`, `Right` → `Inner`, `Full` → `Left`',
  aggregate: '`Sum` → `Max`, `Max` ↔ `Min`, `Count` ↔ `Count Distinct`, `Average` → `Sum`',
  window: '`Row Number` → `Rank`, `Lead` ↔ `Lag`, `First` ↔ `Last`, another part of the group',
  'left-out-condition': 'one condition of several left out, or a whole filter',
  'left-out-key': 'one of several keys of a join, a merge or a comparison left out',
  'left-out-partition': 'one column of a group of a window function left out',
  'left-out-branch': 'a branch of a CASE, of a merge or of mapped values left out',
  'left-out-row': 'another row of a parameter left out: a mapped column, a passed variable, a round',
  'left-out-input': 'one input of a union left out',
  'left-out-statement': 'one statement of a script left out',
  'left-out-transition':
    'one of several transitions, a branch of an `if`, or the handling of a failure left out',
  'swapped-inputs': 'both sides of a comparison of tables swapped',
  'swapped-columns': 'the columns of two neighbouring rows of a mapping swapped',
  'swapped-branches': 'both branches of an `if` swapped',
  'set-operator': '`UNION` ↔ `UNION ALL`, `EXCEPT` ↔ `INTERSECT`; all columns or common ones',
  distinct: 'equal rows that become one stay, or the reverse',
  order: '`Ascending` ↔ `Descending`, NULL first or last',
  'null-handling': '`IS NULL` ↔ `IS NOT NULL`, `Null` → `Null or blank`; COALESCE without its other values',
  'write-mode': '`Append` ↔ `Truncate`, `Update` ↔ `Delete`, rows that do not match inserted or not',
  decimals: 'no decimal places',
} as const;

export type FaultKind = keyof typeof faultKinds;
