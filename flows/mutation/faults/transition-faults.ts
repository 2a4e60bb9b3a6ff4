import { childOf, itemsOf, textOf } from '../../../lib/yaml/yaml-node.ts';
import { transitionKinds } from '../../../lib/pipelines/model/component.ts';
import type { FindFaults, PartFault } from './part-faults.ts';
import { shownWords } from './sql-fault.ts';

/**
 * Leaves out a transition that is one of several, a branch, or the handling of a failure. A component's only
 * transition stays, because every test would notice that the pipeline ends there.
 */
export const withoutTransition: FindFaults = ({ node, path }) =>
  transitionKinds.flatMap((on) => {
    const list = childOf(node, on);
    if (list?.kind !== 'list') return [];
    const isOnlyWay = list.items.length === 1 && (on === 'success' || on === 'unconditional');
    if (isOnlyWay) return [];
    return list.items.flatMap((item, index): readonly PartFault[] => {
      const to = textOf(item);
      if (to === undefined) return [];
      return [
        {
          kind: 'left-out-transition',
          before: shownWords(`${on}: ${to}`),
          after: '',
          changes: [{ path: [...path, on], without: index }],
          at: item,
          context: '',
          transition: { on, to },
        },
      ];
    });
  });

/** Swaps the branches of an `if`, if each leads to one component. */
export const swappedBranches: FindFaults = ({ node, path }) => {
  const [yes, no] = [childOf(node, 'true'), childOf(node, 'false')];
  const [first, ...moreOfTrue] = itemsOf(yes);
  const [second, ...moreOfFalse] = itemsOf(no);
  const [ofTrue, ofFalse] = [textOf(first), textOf(second)];
  const isSingle =
    moreOfTrue.length + moreOfFalse.length === 0 && yes?.kind === 'list' && no?.kind === 'list';
  if (!isSingle || first === undefined || ofTrue === undefined || ofFalse === undefined || ofTrue === ofFalse)
    return [];
  return [
    {
      kind: 'swapped-branches',
      before: shownWords(`true: ${ofTrue}, false: ${ofFalse}`),
      after: shownWords(`true: ${ofFalse}, false: ${ofTrue}`),
      changes: [
        { path: [...path, 'true', 0], text: ofFalse },
        { path: [...path, 'false', 0], text: ofTrue },
      ],
      at: first,
      context: '',
    },
  ];
};
