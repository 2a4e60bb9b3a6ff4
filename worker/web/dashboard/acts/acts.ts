import { routes } from '../../api/routes.ts';
import { hasRole, type Operator } from '../../../operators/operator.ts';

/** Something that a person can do from the dashboard: one call of the operators' API, asked for on a page of its own. */
export interface Act {
  readonly kind: 'lanes' | 'promotions' | 'dead-letters';
  readonly name: string;
  /** On the button. */
  readonly label: string;
  /** What follows from it. */
  readonly means: string;
  /** Said when it is done. */
  readonly done: string;
  readonly reason: 'required' | 'optional' | 'none';
  /** It is about the very commit and version that the person saw. */
  readonly seen?: true;
  /** It takes something away. */
  readonly careful?: true;
}

export const acts: readonly Act[] = [
  {
    kind: 'promotions',
    name: 'approve',
    label: 'Approve',
    means:
      'Your approval counts for exactly this commit and this version. With enough of them the version is promoted.',
    done: 'Your approval counts.',
    reason: 'none',
    seen: true,
  },
  {
    kind: 'promotions',
    name: 'override-freeze',
    label: 'Override the freeze',
    means: 'This promotion alone goes on although the environment is frozen. The reason stands in the audit.',
    done: 'The promotion may go on in the freeze.',
    reason: 'required',
    seen: true,
    careful: true,
  },
  {
    kind: 'promotions',
    name: 'resolve',
    label: 'Resolve',
    means:
      'The worker could not find out what happened. Look at the platform first: the promotion goes on from what you say here. What the platform can tell is verified before.',
    done: 'Your verdict was taken. The promotion goes on from it once nothing holds its lane.',
    reason: 'optional',
    careful: true,
  },
  {
    kind: 'promotions',
    name: 'retry',
    label: 'Retry',
    means:
      'A new promotion of the same commit begins. It goes through all gates again, with none of the approvals.',
    done: 'This is the new promotion.',
    reason: 'none',
  },
  {
    kind: 'promotions',
    name: 'cancel',
    label: 'Cancel',
    means:
      'The promotion ends, and its execution on the platform is terminated. What is promoted already stays there.',
    done: 'The promotion was told to end.',
    reason: 'none',
    careful: true,
  },
  {
    kind: 'lanes',
    name: 'hold',
    label: 'Hold',
    means: 'Nothing new happens in the lane until somebody releases it. What runs on the platform goes on.',
    done: 'The lane is on hold.',
    reason: 'required',
  },
  {
    kind: 'lanes',
    name: 'resume',
    label: 'Resume',
    means:
      'All reasons that are shown here are taken back, and the lane goes on with what waits for it. Look at them first.',
    done: 'The lane was resumed.',
    reason: 'optional',
  },
  {
    kind: 'lanes',
    name: 'roll-back',
    label: 'Roll back',
    means:
      'The live version is disabled in the environment, so that the one before is used again. The lane is held until somebody releases it.',
    done: 'The version before is used again, and the lane is on hold.',
    reason: 'required',
    careful: true,
  },
  {
    kind: 'dead-letters',
    name: 'replay',
    label: 'Replay',
    means: 'The work that was given up is tried again from its beginning.',
    done: 'It was set to work again.',
    reason: 'none',
  },
];

export function findAct(kind: string, name: string): Act | undefined {
  return acts.find((act) => act.kind === kind && act.name === name);
}

/** What it is about, and the least that the operator must be: as the API asks. */
export function routeOf({ kind, name }: Pick<Act, 'kind' | 'name'>) {
  return routes.find(({ method, path }) => method === 'POST' && path === `${kind}/*/${name}`);
}

export function mayAct(operator: Operator, act: Act): boolean {
  const route = routeOf(act);
  return route !== undefined && hasRole(operator, route.role);
}
