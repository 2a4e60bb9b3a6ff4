/** Number of context lines around a change in a hunk. */
const context = 3;

interface Step {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

/**
 * The difference between two texts of a file, as a unified diff for `git apply`; empty where they are equal. Each
 * line ends with a line feed and keeps its carriage return.
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const steps = stepsOf(linesOf(before), linesOf(after));
  const hunks = hunksOf(steps).map((range) => hunkText(steps, range));
  // A tab ends a name that contains a space.
  const end = path.includes(' ') ? '\t' : '';
  return `--- a/${path}${end}\n+++ b/${path}${end}\n${hunks.join('')}`;
}

/** The lines with their line ends. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Removes before it adds. Skips the common beginning and end; between them, keeps the longest common lines. */
function stepsOf(before: readonly string[], after: readonly string[]): readonly Step[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const maxCommonEnd = Math.min(before.length, after.length) - start;
  while (end < maxCommonEnd && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const same = (line: string): Step => ({ sign: ' ', line });
  return [
    ...before.slice(0, start).map(same),
    ...middleSteps(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** Myers' algorithm: the furthest point on each diagonal, with one more difference per round. */
function middleSteps(before: readonly string[], after: readonly string[]): readonly Step[] {
  const [rows, columns] = [before.length, after.length];
  const trace: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let cost = 0; cost <= rows + columns; cost += 1) {
    trace.push(reach);
    const next = new Map(reach);
    for (let diagonal = -cost; diagonal <= cost; diagonal += 2) {
      let x = isDown(reach, diagonal, cost) ? at(reach, diagonal + 1) : at(reach, diagonal - 1) + 1;
      while (x < rows && x - diagonal < columns && before[x] === after[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= rows && x - diagonal >= columns) return walkBack(before, after, trace);
    }
    reach = next;
  }
  return [];
}

function walkBack(
  before: readonly string[],
  after: readonly string[],
  trace: readonly ReadonlyMap<number, number>[],
): readonly Step[] {
  const steps: Step[] = [];
  let [x, y] = [before.length, after.length];
  for (let cost = trace.length - 1; cost >= 0; cost -= 1) {
    const reach = trace[cost] ?? new Map<number, number>();
    const diagonal = x - y;
    const down = isDown(reach, diagonal, cost);
    const from = down ? diagonal + 1 : diagonal - 1;
    const [fromX, fromY] = cost === 0 ? [0, 0] : [at(reach, from), at(reach, from) - from];
    while (x > fromX && y > fromY) {
      steps.push({ sign: ' ', line: before[x - 1] ?? '' });
      x -= 1;
      y -= 1;
    }
    if (cost === 0) break;
    steps.push(down ? { sign: '+', line: after[y - 1] ?? '' } : { sign: '-', line: before[x - 1] ?? '' });
    [x, y] = [fromX, fromY];
  }
  return steps.toReversed();
}

function isDown(reach: ReadonlyMap<number, number>, diagonal: number, cost: number): boolean {
  return diagonal === -cost || (diagonal !== cost && at(reach, diagonal - 1) < at(reach, diagonal + 1));
}

function at(reach: ReadonlyMap<number, number>, diagonal: number): number {
  return reach.get(diagonal) ?? 0;
}

/** Ranges of steps: changes with their context lines. Adjacent ranges are merged. */
function hunksOf(steps: readonly Step[]): readonly { readonly from: number; readonly to: number }[] {
  const hunks: { from: number; to: number }[] = [];
  for (const [index, { sign }] of steps.entries()) {
    if (sign === ' ') continue;
    const [from, to] = [Math.max(0, index - context), Math.min(steps.length, index + 1 + context)];
    const last = hunks.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  }
  return hunks;
}

function hunkText(
  steps: readonly Step[],
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const count = (part: readonly Step[], sign: '-' | '+') =>
    part.filter((step) => step.sign === ' ' || step.sign === sign).length;
  const [above, own] = [steps.slice(0, from), steps.slice(from, to)];
  const side = (sign: '-' | '+') => {
    const lines = count(own, sign);
    return `${sign}${count(above, sign) + (lines === 0 ? 0 : 1)},${lines}`;
  };
  const text = own.map(({ sign, line }) =>
    line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`,
  );
  return `@@ ${side('-')} ${side('+')} @@\n${text.join('')}`;
}
