import { workerName } from '../../../../lib/config/worker/operator-schema.ts';
import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { factsIn, type HistoryEvent, describeEvent, describeFact } from '../../../records/history-event.ts';
import { table, tag, type Tone } from '../../../../lib/html/parts.ts';
import { actorText } from '../../../records/actor-text.ts';
import { exactly, sentence } from '../parts/parts.ts';
import { executionMark } from '../waterfall/waterfall-table.ts';

/** The source of a history entry. */
const kinds: readonly (readonly [form: RegExp, tone: Tone, label: string])[] = [
  [/^intend-/, 'move', 'intent'],
  [/^(promoted|promotion-found|already-there|started|terminated)$/, 'good', 'platform'],
  [
    /^(answer-lost|tag-busy|platform-busy|promotion-absent|.+-refused|verification-failed|not-live)$/,
    'bad',
    'platform',
  ],
  [/^waits-for-/, 'wait', 'gate'],
  [/^evidence-verified$/, 'good', 'gate'],
  [/^evidence-(missing|passed)$/, 'bad', 'gate'],
  [/^live-changed$/, 'calm', 'platform'],
];

/** Actions whose entry names the actor: a person, or the worker itself. */
const acts =
  /^(approved|rejected|freeze-overridden|evidence-pass-given|cancel-requested|cancelled|verdict|held|resumed|rolled-back)$/;

/** The page of an execution on the platform; undefined if its address is not known. */
type ExecutionPage = (executionId: string, pipeline: string) => string | undefined;

/** Events that are shown at once; a summary hides those before them. */
const shownEvents = 20;

/**
 * A history, oldest first, with intents and their results. The beginning of a long history is hidden until the
 * reader expands it.
 */
export function longTimeline(
  caption: string,
  entries: readonly HistoryEvent[],
  executionPage: ExecutionPage,
): Content {
  const hidden = entries.length - shownEvents;
  if (hidden <= 0) return timelineTable(caption, entries, executionPage);
  return html`${timelineTable(`${caption}, the last ${shownEvents} events`, entries.slice(hidden), executionPage)}
    <details class="earlier">
      <summary>${hidden} earlier events</summary>
      ${timelineTable('Earlier events', entries.slice(0, hidden), executionPage)}
    </details>`;
}

/** A history as a table, with intents and their results. */
export function timelineTable(
  caption: string,
  entries: readonly HistoryEvent[],
  executionPage: ExecutionPage = () => undefined,
): Markup {
  return table(
    caption,
    entries,
    [
      { name: 'Time', kind: 'short', show: ({ at }) => exactly(at) },
      { name: 'Kind', kind: 'short', show: (entry) => kindOf(entry) },
      { name: 'Event', kind: 'short', show: ({ what }) => describeEvent(what) },
      { name: 'Details', show: (entry) => detailsOf(entry, executionPage) },
    ],
    'No events yet.',
    'events',
  );
}

/** Facts that are shown elsewhere in the row. */
const shownElsewhere = new Set(['at', 'since', 'person', 'by', 'via']);

function kindOf({ what, data }: HistoryEvent): Content {
  if (acts.test(what) && actorIn(data) !== undefined)
    return actorIn(data) === workerActor ? tag('calm', 'worker') : tag('move', 'person');
  const [, tone, label] = kinds.find(([form]) => form.test(what)) ?? [undefined, 'calm' as const, 'worker'];
  return tag(tone, label);
}

function detailsOf({ what, data }: HistoryEvent, executionPage: ExecutionPage): Content {
  if (what === 'accepted' && data !== '') return `number ${data} in the lane`;
  const members = factsIn(data);
  if (members === undefined)
    return acts.test(what) && data !== '' ? `by: ${actorText(data, undefined)}` : data;
  return factList(data, executionPage);
}

/** The facts of an entry, including who did it and how the action arrived. */
export function factList(data: string, executionPage: ExecutionPage = () => undefined): Content {
  const by = actorIn(data);
  const facts = factsIn(data) ?? [];
  const pipeline = facts.find(([name]) => name === 'pipeline')?.[1] ?? '';
  const shown = (name: string, value: string): Content =>
    name === 'executionId'
      ? executionMark(value, executionPage(value, pipeline))
      : html`<code>${sentence(value)}</code>`;
  const others = facts.filter(([name]) => !shownElsewhere.has(name));
  return html`<ul class="details">
    ${by === undefined ? null : html`<li>by: ${by}</li>`}
    ${others.map(([name, value]) => html`<li>${describeFact(name)}: ${shown(name, value)}</li>`)}
  </ul>`;
}

const workerActor = actorText(workerName, 'worker');

/** The actor of an entry; undefined if it names none. */
function actorIn(data: string): string | undefined {
  const members = factsIn(data);
  // Older entries contain only the name.
  if (members === undefined) return data === '' ? undefined : actorText(data, undefined);
  const facts = new Map(members);
  const by = facts.get('by');
  return by === undefined ? undefined : actorText(by, facts.get('via'));
}
