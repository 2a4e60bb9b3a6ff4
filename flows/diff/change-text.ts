import { comparedTexts } from '../pipeline-tests/report/shown-text.ts';
import type { Shown } from '../pipeline-tests/compare/test-result.ts';

/** `5 → 10`: two values that differ, so that the difference can be seen. */
export function changeText(before: Shown, after: Shown): string {
  return comparedTexts([before, after]).join(' → ');
}
