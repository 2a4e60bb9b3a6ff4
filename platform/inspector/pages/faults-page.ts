import type { CountedRule, Faults } from '../../faults/faults.ts';
import { html } from '../../../lib/html/markup.ts';
import { definePage } from '../page.ts';
import { code, table } from '../parts.ts';

type Plan = ReturnType<Faults['list']>;

const breakSomething = `curl -s -X PUT "$MILLRACE_BASE_URL/_platform/faults" -H 'x-millrace-platform: 1' \\
  -H 'content-type: application/json' -d '[{ "operation": "projects.list", "status": 503, "times": 1 }]'`;
const hint = `curl -s -X DELETE "$MILLRACE_BASE_URL/_platform/faults" -H 'x-millrace-platform: 1'`;

/** What goes wrong on purpose, and how often it did. */
export const faultsPage = definePage<Plan>({
  path: '/faults',
  read: ({ faults }) => faults.list(),
  title: () => 'Faults',
  show: ({ rules, rateLimit }) => html`
    <p class="lead">What goes wrong on purpose. Of several rules that strike one call, the first counts.</p>
    <p>
      ${
        rateLimit === false
          ? 'There is no rate limit.'
          : `More than ${String(rateLimit)} requests a minute are answered 429.`
      }
    </p>
    ${table(
      'Fault rules',
      rules,
      [
        { name: 'Calls to', show: ({ operation }) => [operation ?? 'every operation'].flat().join(', ') },
        { name: 'Which', show: which },
        { name: 'What happens', show: what },
        { name: 'Matched', kind: 'number', show: ({ calls }) => calls },
        { name: 'Struck', kind: 'number', show: ({ struck }) => struck },
      ],
      'Nothing goes wrong on purpose.',
    )}
    <h2>Break something</h2>
    <p>The next list of projects is answered 503:</p>
    ${code('curl line that sets a rule', breakSomething)}
    <p>And everything is well again:</p>
    ${code('curl line that removes all rules', hint)}
  `,
});

function which({ nth, times, probability, project }: CountedRule): string {
  const parts = [
    nth === undefined ? '' : `call ${[nth].flat().join(', ')}`,
    probability === undefined ? '' : `${String(Math.round(probability * 100))} % of them`,
    times === undefined ? '' : `at most ${String(times)}`,
    project === undefined ? '' : `project ${project}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'all' : parts.join(', ');
}

function what({ status, wire, latency, processed }: CountedRule): string {
  const parts = [
    latency === undefined ? '' : `waits ${String(latency)} ms`,
    status === undefined ? '' : `answers ${String(status)}`,
    wire ?? '',
    processed === true && status !== undefined ? 'though it is carried out' : '',
  ].filter((part) => part !== '');
  return parts.join(', ');
}
