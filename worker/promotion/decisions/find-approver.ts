import type { Approval, PromotionRecord } from '../../records/promotion-record.ts';
import { namesLogin, type Via } from '../../records/audit-entry.ts';
import { findTeam } from '../../operators/find-team.ts';
import { personOf, personOfLogin } from '../../operators/person-of.ts';
import type { GitHubReads, Policy } from '../context/ports.ts';
import { type CurrentPolicy, currentPolicy } from '../gates/current-policy.ts';

/** The person who decides, as the API, a comment or a check run names them. */
export interface Decider {
  readonly name: string;
  readonly via: Via;
  /** GitHub's id of the person, if they act with a GitHub account. */
  readonly githubId?: number;
  /** What they wrote with an approval. */
  readonly comment?: string | undefined;
}

/** A person who is listed as an approver, or who may be in a team of approvers. */
export interface PossibleApprover {
  readonly who: Decider;
  /** The key of the person. */
  readonly person: string;
  readonly policy: CurrentPolicy;
}

/**
 * Checks without a request whether the person may be an approver. Undefined if the person is not listed and no team
 * is.
 */
export function possibleApprover(
  who: Decider,
  { task }: Pick<PromotionRecord, 'task'>,
  config: Policy['config'],
): PossibleApprover | undefined {
  const policy = currentPolicy(task, config);
  const nameOf = namesLogin(who.via) ? personOfLogin : personOf;
  const person = nameOf(config.operators, who.name);
  if (policy === undefined || (!policy.approvers.has(person) && policy.teams.length === 0)) return undefined;
  return { who, person, policy };
}

/** The approver as the record of a decision names them, or the reason why the person may not decide. */
export type FoundApprover =
  | { readonly status: 'ok'; readonly named: Pick<Approval, 'person' | 'by' | 'via' | 'githubId' | 'team'> }
  | { readonly status: 'not-an-approver' }
  /** GitHub does not say who is in a team. */
  | { readonly status: 'team-unknown'; readonly reason: string };

/**
 * Resolves a possible approver. If the person is not listed, asks GitHub for the first team of approvers that the
 * person is in.
 */
export async function findApprover(
  { who, person, policy: { approvers, teams } }: PossibleApprover,
  { task }: Pick<PromotionRecord, 'task'>,
  { config, github }: Pick<Policy, 'config'> & GitHubReads,
): Promise<FoundApprover> {
  const { name: by, via, githubId } = who;
  const named = { person, by, via, ...(githubId === undefined ? {} : { githubId }) };
  if (approvers.has(person)) return { status: 'ok', named };
  const isLogin = namesLogin(via);
  const operator = isLogin ? undefined : config.operators.find(({ name }) => name === by);
  const login = isLogin ? by : (operator?.github ?? operator?.name);
  // The bearer of the worker's own token is not a person.
  if (login === undefined) return { status: 'not-an-approver' };
  const asked = teams.map((name) => ({ name, repositoryId: task.repository.id }));
  const team = await findTeam(login, asked, github);
  if (team.status === 'unknown') return { status: 'team-unknown', reason: team.reason };
  if (team.status === 'none') return { status: 'not-an-approver' };
  return { status: 'ok', named: { ...named, team: team.name } };
}
