import type { CountedRule, Faults } from '../../faults/faults.ts';
import { html } from '../../../lib/html/markup.ts';
import { definePage } from '../parts/page.ts';
import { code, table } from '../parts/parts.ts';
import { operations } from '../../../lib/contract/operations.ts';
import { kindsOfFault } from '../../faults/fault-kinds.ts';
import { tokenOperation } from '../../faults/fault-schema.ts';

type Plan = ReturnType<Faults['list']>;

const breakSomething = `curl -s -X PUT "$MILLRACE_BASE_URL/_platform/faults" -H 'x-millrace-platform: 1' \\
  -H 'content-type: application/json' -d '[{ "operation": "projects.list", "status": 503, "times": 1 }]'`;
const hint = `curl -s -X DELETE "$MILLRACE_BASE_URL/_platform/faults" -H 'x-millrace-platform: 1'`;

/** The page of the injected faults, and how often each was applied. */
export const faultsPage = definePage<Plan>({
  path: '/faults',
  read: ({ faults }) => faults.list(),
  title: () => 'Faults',
  show: ({ rules, rateLimit }) => html`
    <p class="lead">What goes wrong on purpose. If several rules apply to a call, the first applies.</p>
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
      'No faults are set.',
    )}
    <h2>Break something</h2>
    <div class="buttons" data-keep>
      <form method="post" action="/_platform/faults">
        <label
          >Calls to
          <select name="operation">
            <option value="">every operation</option>
            ${[...operations.map(({ id }) => id), tokenOperation].map(
              (id) => html`<option value="${id}">${id}</option>`,
            )}
          </select></label
        >
        <label
          >The platform
          <select name="fault">
            ${kindsOfFault.map(({ name, title }) => html`<option value="${name}">${title}</option>`)}
          </select></label
        >
        <label
          >Times
          <input name="times" type="number" min="1" value="1" size="4" title="Leave it empty for every call"
        /></label>
        <button type="submit">Add the fault</button>
      </form>
      <form method="post" action="/_platform/faults">
        <label
          >Requests a minute
          <input name="rateLimit" type="number" min="1" size="5" title="Leave it empty for no limit"
        /></label>
        <button type="submit">Set the rate limit</button>
      </form>
    </div>
    ${
      rules.length === 0 && rateLimit === false
        ? null
        : html`<form method="post" action="/_platform/faults/clear">
            <button type="submit">Remove all faults</button>
          </form>`
    }
    <p>The same from a shell: the next list of projects is answered 503:</p>
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
    processed === true && status !== undefined ? 'although the request takes effect' : '',
  ].filter((part) => part !== '');
  return parts.join(', ');
}
