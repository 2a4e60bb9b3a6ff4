import { type Content, html, type Markup } from '../../../model/markup.ts';
import { factsIn, type Happening, wordsFor } from '../../report/happening.ts';
import { exactly, pill, table, type Tone } from '../parts.ts';

/** Who or what an entry of a history is of. */
const kinds: readonly (readonly [form: RegExp, tone: Tone, word: string])[] = [
  [/^intend-/, 'move', 'intent'],
  [/^(promoted|promotion-found|already-there|started|terminated)$/, 'good', 'platform'],
  [/^(answer-lost|tag-busy|.+-refused|verification-failed|broke-off)$/, 'bad', 'platform'],
  [/^(approved|freeze-overridden|cancel-asked|cancelled|settled|held|released)$/, 'wait', 'person'],
  [/^(waits-for-|time-limit)/, 'wait', 'gate'],
  [/^rolled-back$/, 'bad', 'platform'],
  [/^live-changed$/, 'calm', 'platform'],
];

/** A history: what was about to happen, and what came of it. */
export function timelineTable(caption: string, entries: readonly Happening[]): Markup {
  return table(
    caption,
    entries,
    [
      { name: 'Time', kind: 'short', show: ({ at }) => exactly(at) },
      { name: 'Kind', kind: 'short', show: ({ what }) => kindOf(what) },
      { name: 'What happened', show: ({ what }) => wordsFor(what) },
      { name: 'Details', show: (entry) => detailsOf(entry) },
    ],
    'Nothing has happened yet.',
  );
}

/** What stands elsewhere in the row, or is said by another of them. */
const told = new Set(['at', 'since', 'person']);

function kindOf(what: string): Content {
  const [, tone, word] = kinds.find(([form]) => form.test(what)) ?? [undefined, 'calm' as const, 'worker'];
  return pill(tone, word);
}

function detailsOf({ what, data }: Happening): Content {
  if (what === 'accepted' && data !== '') return `as number ${data} of the lane`;
  const found = factsIn(data);
  if (found === undefined) return data;
  return html`<ul class="details">
    ${found.filter(([name]) => !told.has(name)).map(([name, value]) => html`<li>${name}: <code>${value}</code></li>`)}
  </ul>`;
}
