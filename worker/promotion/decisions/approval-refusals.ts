import type { ApprovalResult } from './record-approval.ts';

type Refused = Exclude<
  ApprovalResult['status'],
  'ok' | 'already' | 'disabled' | 'plan-changed' | 'team-unknown'
>;

/**
 * The reasons why an approval or a rejection does not count, each as the end of a sentence. The API, comments and
 * check runs use the same texts.
 */
export const approvalRefusals: Readonly<Record<Refused, string>> = {
  'not-an-approver': 'the person is not listed in `approvers` of the repository in worker.yaml',
  'the-pusher': 'a person who pushed or requested a version cannot approve it',
  'an-author': 'a person who wrote a commit of a version cannot approve it',
  'not-needed': 'the promotion needs no approval',
  unknown: 'the worker does not know this promotion',
  over: 'the promotion has ended',
  begun: 'the promotion has already started to change the target environment',
  'no-version': 'the worker does not know the version of the promotion yet; approve it later',
  changed: 'the promotion has another commit or version than the one that was shown; look at it again',
  superseded: 'a newer push has superseded this promotion; approve the newer one',
  ending: 'the promotion was rejected or cancelled, and ends with its next step',
};

export const alreadyApproved = 'the person has already approved this version';
