import { html, type Markup } from '../../../../lib/html/markup.ts';
import type { ShownPause } from '../../api/operations/pauses.ts';
import { actorText } from '../../../records/actor-text.ts';
import { moment } from './parts.ts';

/** The text for the lanes that a pause covers. */
export function pauseScope({
  repository,
  environment,
}: Pick<ShownPause, 'repository' | 'environment'>): string {
  const inside = repository === null ? '' : (repository.name ?? String(repository.id));
  if (environment === null) return inside === '' ? 'all lanes' : `all lanes of ${inside}`;
  return inside === '' ? `all lanes to ${environment}` : `lanes of ${inside} to ${environment}`;
}

/** A sentence about a pause. */
export function pauseLine(pause: ShownPause): Markup {
  const { by, via, reason, since } = pause;
  return html`<b>Paused</b> (${pauseScope(pause)}): ${reason}
    <span class="hint">${actorText(by, via)}, ${moment(since)}</span>`;
}
