import { html } from '../../../lib/html/markup.ts';
import { definePage } from '../parts/page.ts';
import { showClock, type ClockState } from '../../clock/show-clock.ts';
import { facts } from '../../../lib/html/parts.ts';
import { code, time } from '../parts/parts.ts';

const header = `-H 'x-millrace-platform: 1'`;
const lines = `curl -s -X POST "$MILLRACE_BASE_URL/_platform/clock/freeze" ${header}
curl -s -X POST "$MILLRACE_BASE_URL/_platform/clock/advance" ${header} \\
  -H 'content-type: application/json' -d '{ "by": "30m" }'
curl -s -X POST "$MILLRACE_BASE_URL/_platform/clock/resume" ${header}`;

/** The page of the platform's clock, on which everything depends. */
export const clockPage = definePage<ClockState>({
  path: '/clock',
  read: ({ clock }) => showClock(clock),
  title: () => 'Clock',
  show: ({ now, frozen, aheadMs }) => html`
    <p class="lead">
      Executions, tokens, streaming states, the audit window and the rate limit go by this clock, not by the
      machine's.
    </p>
    ${facts([
      ['Now', time(now)],
      ['State', frozen ? 'frozen' : 'runs'],
      ['Ahead of the machine', `${String(Math.round(aheadMs / 1000))} s`],
    ])}
    <h2>Stop it, move it, let it run</h2>
    <div class="buttons" data-keep>
      <form method="post" action="/_platform/clock/freeze"><button type="submit">Freeze</button></form>
      <form method="post" action="/_platform/clock/resume"><button type="submit">Let it run</button></form>
      ${['1m', '1h', '1d'].map(
        (by) =>
          html`<form method="post" action="/_platform/clock/advance">
            <input type="hidden" name="by" value="${by}" /><button type="submit">Forward ${by}</button>
          </form>`,
      )}
      <form method="post" action="/_platform/clock/advance">
        <label
          >Forward by
          <input
            name="by"
            required
            size="6"
            pattern="\\d{1,9}(ms|s|m|h|d)"
            placeholder="90s"
            title="A time such as 90s, 5m, 2h or 90d"
        /></label>
        <button type="submit">Move</button>
      </form>
    </div>
    <p>The same from a shell:</p>
    ${code('curl lines for the clock', lines)}
  `,
});
