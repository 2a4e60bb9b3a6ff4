import { expect, test } from 'vitest';
import { planChanges } from '../../../../worker/promotion/plan/plan-changes.ts';
import type { MadePlan } from '../../../../worker/promotion/plan/make-plan.ts';
import type {
  PlanFacts,
  PlanLimits,
  PlannedValue,
  PlannedVariable,
} from '../../../../worker/records/promotion-plan.ts';

const none: PlannedValue = { source: 'none' };
const own = (value: string): PlannedValue => ({ source: 'own', value });
const variable = (name: string, from = own('1'), to = own('2'), type = 'TEXT'): PlannedVariable => ({
  name,
  type,
  from,
  to,
});
const region = variable('region');
const many = Array.from({ length: 7 }, (_, index) => variable(`v${index}`));
const named = many.map(({ name }) => `the variable ${name} is compared now`);

const facts: PlanFacts = {
  version: 'v2',
  from: 'dev',
  to: 'test',
  wanted: { commit: 'a'.repeat(40), enabled: true },
  live: { version: 'v1', commit: 'b'.repeat(40) },
  snapshots: { wanted: 'w', live: 'l' },
  variables: [region],
};
const times = { at: 0, readAt: 0, changes: [] };
const limits: PlanLimits = { key: 'k', notCompared: 0 };

/** The changes between plans with these facts; `before` counts for both unless `after` says otherwise. */
function changesOf(after: Partial<PlanFacts>, before: Partial<PlanFacts> = {}, made: Partial<MadePlan> = {}) {
  const was = { ...facts, ...before };
  const plan = { digest: 'before', facts: was, ...limits, ...times };
  return planChanges(plan, { digest: 'after', facts: { ...was, ...after }, limits, target: [], ...made });
}

test.each<[what: string, after: Partial<PlanFacts>, changes: readonly string[], before?: Partial<PlanFacts>]>(
  [
    ['a new variable', { variables: [region, variable('x')] }, ['the variable x is compared now']],
    ['a variable less', { variables: [] }, ['the variable region is no longer there or no longer compared']],
    [
      'other variables, as another snapshot of the wanted version has them',
      { variables: [variable('x')], snapshots: { wanted: 'w2', live: 'l' } },
      ['another snapshot of v2 counts'],
    ],
    [
      'other variables, as another snapshot of the live version has them',
      { variables: [variable('x')], snapshots: { wanted: 'w', live: null } },
      ['the snapshot of v1 is no longer known'],
    ],
    [
      'a snapshot that became known, of a version without a live one',
      { snapshots: { wanted: 'w', live: null } },
      ['the snapshot of v2 became known'],
      { snapshots: { wanted: null, live: null }, live: null },
    ],
    [
      'another value in the source',
      { variables: [variable('region', own('3'))] },
      ['the variable region has another value in dev'],
    ],
    [
      'another value in the target, which had none',
      { variables: [region] },
      ['the variable region has another value in test'],
      { variables: [variable('region', own('1'), none)] },
    ],
    [
      'the same value, by default now',
      { variables: [variable('region', { source: 'default', value: '1' }, none)] },
      ['the variable region has another value in dev and test'],
    ],
    [
      'another type',
      { variables: [variable('region', own('1'), own('2'), 'NUMBER')] },
      ['the variable region has another type'],
    ],
    ['six new variables', { variables: many.slice(0, 6) }, named.slice(0, 6), { variables: [] }],
    [
      'seven new variables',
      { variables: many },
      [...named.slice(0, 5), '2 more changes of variables'],
      { variables: [] },
    ],
    ['another version', { version: 'v3', wanted: null }, ['the wanted version was v2 and is v3']],
    ['a version that left the source', { wanted: null }, ['v2 is no longer in dev']],
    [
      'a version that was disabled',
      { wanted: { commit: 'a'.repeat(40), enabled: false } },
      ['v2 was disabled in dev'],
    ],
    [
      'another commit of the wanted version',
      { wanted: { commit: null, enabled: true }, snapshots: { wanted: null, live: 'l' } },
      ['the commit of v2 in dev was aaaaaaaaaaaa and is none'],
    ],
    [
      'another commit of the live version',
      { live: { version: 'v1', commit: 'c'.repeat(40) }, snapshots: { wanted: 'w', live: 'l2' } },
      ['the commit of v1 in test was bbbbbbbbbbbb and is cccccccccccc'],
    ],
    [
      'a target without a live version',
      { live: null },
      ['v1 is no longer in test, and no version is live in test'],
    ],
  ],
)('a plan says what changed: %s', (_, after, changes, before) => {
  expect(changesOf(after, before)).toEqual(changes);
});

test.each<[what: string, limits: Partial<PlanLimits>, changes: readonly string[]]>([
  ['the secret', { key: 'k2' }, ['the webhook secret that values are compared with was changed']],
  ['the access', { variablesUnknown: 'access' }, ['the variables can no longer be read']],
])('other values by %s are not named', (_, changed, changes) => {
  const made = { limits: { ...limits, ...changed } };
  expect(changesOf({ variables: [variable('x')] }, {}, made)).toEqual(changes);
});

test('a plan with the same digest has no change', () => {
  expect(changesOf({ variables: [] }, {}, { digest: 'before' })).toEqual([]);
});
