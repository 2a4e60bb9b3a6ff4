import { expect } from 'vitest';
import { maxBreachesPerFile } from '../../../../lib/pipelines/checks/breach.ts';
import { reviewProject, rulesPath } from '../review-project.ts';
import type { WorstShape } from './worst-shapes.ts';

/**
 * Reviews a file of the worst shape of a check, with all checks enabled. A check whose time grows faster than the file
 * does not end within the time limit of a test.
 */
export async function expectReviewOf({ check, file, text }: WorstShape, bytes: number): Promise<void> {
  using project = reviewProject();
  project.write(rulesPath, 'rules: []\n');
  project.write(file, text(bytes));
  project.commit('A file of the worst shape');
  const checks = {
    'dangling-reference': 'error',
    'unknown-key': 'error',
    'undeclared-variable': 'error',
    'literal-environment': 'error',
    'unknown-call': 'error',
    'call-cycle': 'error',
  } as const;
  const { findings, outcome } = await project.review({ checks });
  expect(outcome).toBe('failed');
  const ofCheck = findings.filter(({ rule }) => rule === `millrace/${check}`);
  const [last] = ofCheck.filter(({ message }) => message.includes('Only the first'));
  expect(last).toMatchObject({
    file,
    severity: 'error',
    message: `This file has more than ${maxBreachesPerFile} violations of this check. Only the first ${maxBreachesPerFile} are listed.`,
  });
  expect(ofCheck.length).toBe(maxBreachesPerFile + 1);
}
