import type { Finding } from '../../../lib/core/outcomes/finding.ts';

/** A finding with the given fields and defaults. */
export function finding(more: Partial<Finding> = {}): Finding {
  return {
    rule: 'component-naming-convention',
    severity: 'error',
    file: 'daily/load.orch.yaml',
    line: 4,
    column: 5,
    endLine: 4,
    endColumn: 12,
    component: 'load 1',
    message: 'The component "load 1" does not match the pattern.',
    source: 'platform',
    state: 'new',
    fingerprint: 'f',
    ...more,
  };
}
