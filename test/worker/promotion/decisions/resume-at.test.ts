import { expect, test } from 'vitest';
import { resumeAt } from '../../../../worker/promotion/decisions/resume-at.ts';

const promote = { step: { name: 'promote', since: 1, readBacks: 5 } } as const;
const watch = { step: { name: 'watch', verify: 0, since: 1, executionId: 'old' } } as const;

test('a promotion that did not happen may be sent; of one that did the list is read again, and nothing is sent', () => {
  expect(resumeAt(promote, { happened: false }, 'ada', 9)).toEqual({
    step: { name: 'promote', since: 9, readBacks: 0 },
    keepIntent: false,
  });
  expect(resumeAt(promote, { happened: true }, 'ada', 9)).toMatchObject({ keepIntent: true });
  expect(resumeAt(promote, { executionId: 'e' }, 'ada', 9)).toHaveProperty('wrong');
});

test('a verdict gives the end of an execution that the platform no longer knows', () => {
  expect(resumeAt(watch, { happened: true }, 'ada', 9)).toMatchObject({
    step: { name: 'watch', verdict: { succeeded: true, by: 'ada' } },
  });
  expect(resumeAt(watch, { executionId: 'new' }, 'ada', 9)).toMatchObject({
    step: { name: 'watch', executionId: 'new', since: 9 },
  });
  expect(resumeAt(watch, {}, 'ada', 9)).toHaveProperty('wrong');
});
