/** For each group of a regular expression, whether the group takes part in every match. */
export function certainGroups(source: string): readonly boolean[] {
  interface Open {
    /** The number of the group. Undefined for the whole pattern, and for a group without a number. */
    readonly number: number | undefined;
    readonly inside: number[];
    hasAlternatives: boolean;
  }
  const certain: boolean[] = [];
  const open: Open[] = [{ number: undefined, inside: [], hasAlternatives: false }];
  const refuse = (numbers: readonly number[]) => {
    for (const number of numbers) certain[number] = false;
  };
  const parts = source.match(/\\.|\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]|\(\?:|\)(?:[?*]|\{0)?|./gs) ?? [];
  for (const part of parts) {
    const group = open.at(-1);
    if (part === '(') {
      certain.push(true);
      open.push({ number: certain.length - 1, inside: [], hasAlternatives: false });
    } else if (part === '(?:') open.push({ number: undefined, inside: [], hasAlternatives: false });
    else if (part === '|' && group !== undefined) group.hasAlternatives = true;
    else if (part.startsWith(')') && open.length > 1 && group !== undefined) {
      open.pop();
      if (group.hasAlternatives) refuse(group.inside);
      const all = [...group.inside, ...(group.number === undefined ? [] : [group.number])];
      if (part.length > 1) refuse(all);
      open.at(-1)?.inside.push(...all);
    }
  }
  if (open[0]?.hasAlternatives === true) refuse(open[0].inside);
  return certain;
}
