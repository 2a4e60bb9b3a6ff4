import { type Route, routes } from '../../api/routes.ts';
import { hasRole, type Operator } from '../../../operators/operator.ts';
import type { SubjectKind } from '../parts/parts.ts';

/** An action of the dashboard: one call of the operators' API, with its confirmation page. */
export interface Act {
  readonly kind: SubjectKind;
  readonly name: string;
  /** Label of the button. */
  readonly label: string;
  /** The effect of the action. */
  readonly means: string;
  /** Message after the action. */
  readonly done: string;
  /** What the person writes; `comment`: a text that the history keeps, and that need not be given. */
  readonly reason: 'required' | 'optional' | 'comment' | 'none';
  /** The person names a version, or a repository and an environment. */
  readonly names?: 'version' | 'scope';
  /** It applies to exactly the commit and version that the person saw. */
  readonly seen?: true;
  /** It is destructive. */
  readonly careful?: true;
}

export const acts: readonly Act[] = [
  {
    kind: 'promotions',
    name: 'approve',
    label: 'Approve',
    means:
      'Your approval counts for exactly this commit, this version and this plan. When the plan changes, it is void. With enough approvals the worker promotes the version.',
    done: 'Your approval counts.',
    reason: 'comment',
    seen: true,
  },
  {
    kind: 'promotions',
    name: 'reject',
    label: 'Reject',
    means:
      'The promotion ends, and this version is not promoted. A retry needs new approvals. The history and GitHub show your reason.',
    done: 'The promotion was rejected.',
    reason: 'required',
    seen: true,
    careful: true,
  },
  {
    kind: 'promotions',
    name: 'override-freeze',
    label: 'Override the freeze',
    means: 'Only this promotion continues during the freeze. The audit shows the reason.',
    done: 'The promotion may continue during the freeze.',
    reason: 'required',
    seen: true,
    careful: true,
  },
  {
    kind: 'promotions',
    name: 'pass-evidence',
    label: 'Pass evidence',
    means:
      'Only this promotion continues without the signed evidence that its gate requires. Do this in an emergency only, because then nothing proves what was checked. The audit shows the reason.',
    done: 'The promotion may now continue without the evidence.',
    reason: 'required',
    seen: true,
    careful: true,
  },
  {
    kind: 'promotions',
    name: 'resolve',
    label: 'Resolve',
    means:
      'The worker could not find out what happened. Look on the platform, then say here what you found. The worker compares your answer with the platform, and the promotion continues from there.',
    done: 'Your answer was accepted. The promotion continues once no hold is left on its lane.',
    reason: 'optional',
    careful: true,
  },
  {
    kind: 'promotions',
    name: 'retry',
    label: 'Retry',
    means:
      'Starts a new promotion of the same commit. It passes through all gates again, without the old approvals.',
    done: 'This is the new promotion.',
    reason: 'none',
  },
  {
    kind: 'promotions',
    name: 'cancel',
    label: 'Cancel',
    means:
      'The promotion ends, and its execution on the platform is terminated. A version that is already promoted stays there.',
    done: 'The promotion is being cancelled.',
    reason: 'none',
    careful: true,
  },
  {
    kind: 'lanes',
    name: 'refresh',
    label: 'Refresh',
    means:
      'The worker asks the platform at once which version is live in the environment. Nothing else changes.',
    done: 'The worker asks the platform which version is live.',
    reason: 'none',
  },
  {
    kind: 'lanes',
    name: 'hold',
    label: 'Hold',
    means: 'No promotion starts in the lane until an operator resumes it. Running executions continue.',
    done: 'The lane is on hold.',
    reason: 'required',
  },
  {
    kind: 'lanes',
    name: 'resume',
    label: 'Resume',
    means:
      'Lifts all holds shown here. The lane continues with the promotions that wait. Check the reasons first.',
    done: 'The lane was resumed.',
    reason: 'optional',
  },
  {
    kind: 'lanes',
    name: 'promote',
    label: 'Promote a version',
    means:
      'Makes this version live, forward or back, by a new promotion, which passes all gates and is verified. If the environment has the version, it is enabled, and newer versions are disabled.',
    done: 'This is the new promotion.',
    reason: 'required',
    names: 'version',
    careful: true,
  },
  {
    kind: 'lanes',
    name: 'roll-back',
    label: 'Roll back',
    means:
      'Disables the live version in the environment, so that an earlier version is live again: the newest that was verified there, or the one that you choose. The lane is held until an operator resumes it.',
    done: 'The earlier version is live again, and the lane is on hold.',
    reason: 'required',
    names: 'version',
    careful: true,
  },
  {
    kind: 'worker',
    name: 'pause',
    label: 'Pause',
    means:
      'Nothing that changes the platform begins until an operator resumes, also in new lanes. Pushes are taken in and wait. Running executions continue, and a version whose verification fails is rolled back.',
    done: 'The worker is paused.',
    reason: 'required',
    names: 'scope',
    careful: true,
  },
  {
    kind: 'pauses',
    name: 'resume',
    label: 'Resume',
    means: 'Ends this pause. What waits continues at once, unless a hold or another pause stops it.',
    done: 'The pause has ended.',
    reason: 'optional',
  },
  {
    kind: 'dead-letters',
    name: 'replay',
    label: 'Replay',
    means: 'The worker gave this job up. Replay runs it again from its beginning.',
    done: 'The job runs again.',
    reason: 'none',
  },
];

/** The path of an action, which is the same in the dashboard and in the API. */
export function pathOf({ kind, name }: Pick<Act, 'kind' | 'name'>): string {
  return kind === 'worker' ? `/${name}` : `/${kind}/:id/${name}`;
}

/** The name of an action that was done, for the address of the next page. */
export function doneName({ kind, name }: Pick<Act, 'kind' | 'name'>): string {
  return kind === 'pauses' ? `${name}-pause` : name;
}

/** The API route of an action, with its kind of subject and the required role. */
export function routeOf(act: Pick<Act, 'kind' | 'name'>): Route {
  const path = pathOf(act);
  const apiRoute = routes.find((route) => route.method === 'POST' && route.path === path);
  if (apiRoute === undefined) throw new Error(`the API has no route ${path}`);
  return apiRoute;
}

export function mayAct(operator: Operator, act: Act): boolean {
  return hasRole(operator, routeOf(act).role);
}
