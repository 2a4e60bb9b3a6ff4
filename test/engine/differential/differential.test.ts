import { expect, test } from 'vitest';
import { componentTypes } from '../../../engine/components/component-types.ts';
import { caseKinds, withoutOracle } from './case-kinds.ts';
import { testCases } from './test-cases.ts';

testCases({ seed: 7, rounds: 2 });

test('each component type is compared, or has a reason why it is not', () => {
  const all = componentTypes.flatMap(({ type, aliases = [] }) => [type, ...aliases]);
  const compared = caseKinds.flatMap(({ types }) => types);
  expect([...new Set([...compared, ...Object.keys(withoutOracle)])].toSorted()).toEqual(all.toSorted());
});
