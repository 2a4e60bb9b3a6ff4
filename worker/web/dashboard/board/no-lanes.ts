import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { mayTouch } from '../../../operators/operator.ts';
import type { Visit } from '../parts/visit.ts';

const maxRepositories = 5;

/**
 * The board of a worker without lanes: it says what must be sent to the worker, in the demo with the command for
 * it.
 */
export function noLanes({ operator, ports }: Visit): Markup {
  const { demoPush } = ports.settings;
  return html`<section class="empty">
    <h2>No promotions yet</h2>
    ${
      demoPush === undefined
        ? whatGitHubSends({ operator, ports })
        : html`<p>In another shell, push a tag as GitHub would report it. Its lanes then appear here:</p>
            <p><code>${demoPush}</code></p>`
    }
    ${
      operator.repositories === 'all'
        ? html`<p>
            Nothing appears? <a href="/deliveries">Deliveries</a> shows what the worker answered to each
            delivery, refused ones included, and why a push started no promotion.
          </p>`
        : null
    }
  </section>`;
}

function whatGitHubSends({ operator, ports }: Pick<Visit, 'operator' | 'ports'>): Content {
  const { github, repositories, url = '' } = ports.config;
  const accessible = repositories.filter(({ id }) => mayTouch(operator, id));
  if (accessible.length === 0)
    return html`<p>
      None of your repositories is in <code>worker.yaml</code>. An admin can list it there; then its pushes
      are accepted.
    </p>`;
  return html`<p>Lanes appear here with the first push that enters them. For that, GitHub must send:</p>
    <ol>
      <li>
        The webhook of ${github.appId === undefined ? 'each repository' : 'the GitHub App'}, to
        <code>${url}/webhooks/github</code>, with content type <code>application/json</code>, the secret of
        the worker, and the events <em>push</em> and, for approvals by comment, <em>issue comment</em>.
      </li>
      <li>
        A push for which <code>millrace.yaml</code> in the repository has a lane. <code>worker.yaml</code>
        accepts:
        <ul>
          ${accessible
            .slice(0, maxRepositories)
            .map(({ name, branches, tags }) => html`<li>${name}: ${refsOf(branches, tags)}</li>`)}
          ${accessible.length > maxRepositories ? html`<li>and ${accessible.length - maxRepositories} more</li>` : null}
        </ul>
      </li>
    </ol>`;
}

function refsOf(branches: readonly string[], tags: readonly string[]): Content {
  return [refs('branch', 'branches', branches), refs('tag', 'tags', tags)]
    .filter((words) => words !== null)
    .map((words, i) => (i === 0 ? words : html`, ${words}`));
}

function refs(singular: string, plural: string, names: readonly string[]): Markup | null {
  if (names.length === 0) return null;
  return html`${names.length === 1 ? singular : plural}
  ${names.map((name, i) => html`${i === 0 ? '' : ', '}<code>${name}</code>`)}`;
}
