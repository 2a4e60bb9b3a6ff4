import { comparedTexts } from '../pipeline-tests/report/shown-text.ts';
import type { Shown } from '../pipeline-tests/compare/test-result.ts';

/** Two different values as `5 → 10`, written so that the difference is visible. */
export function changeText(before: Shown, after: Shown): string {
  return comparedTexts([before, after]).join(' → ');
}
