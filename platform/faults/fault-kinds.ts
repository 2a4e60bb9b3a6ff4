import type { FaultRule } from './fault-schema.ts';

interface KindOfFault {
  /** The value in the form. */
  readonly name: string;
  /** The title that people see. */
  readonly title: string;
  readonly rule: FaultRule;
}

/** The faults that the inspector offers. A fault plan can describe many more. */
export const kindsOfFault: readonly KindOfFault[] = [
  { name: 'error', title: 'answers 500', rule: { status: 500 } },
  { name: 'unavailable', title: 'answers 503', rule: { status: 503 } },
  {
    name: 'busy',
    title: 'answers 503 with Retry-After: 5',
    rule: { status: 503, headers: { 'retry-after': '5' } },
  },
  {
    name: 'throttled',
    title: 'answers 429 with Retry-After: 5',
    rule: { status: 429, headers: { 'retry-after': '5' } },
  },
  { name: 'slow', title: 'waits 3 s, then answers', rule: { latency: '3s' } },
  { name: 'lost-request', title: 'closes the connection before the work', rule: { wire: 'reset-before' } },
  {
    name: 'lost-answer',
    title: 'does the work, then closes the connection without an answer',
    rule: { wire: 'reset-after' },
  },
  { name: 'silence', title: 'does the work and never answers', rule: { wire: 'silence' } },
];
