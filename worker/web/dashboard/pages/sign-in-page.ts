import { type Content, html } from '../../../../lib/html/markup.ts';
import type { Access } from '../../sign-in/access.ts';

interface SignInPage {
  /** The page that the reader requested. */
  readonly next: string;
  readonly wrong?: string;
  readonly access: Pick<Access, 'directory' | 'signIn'>;
}

/** The page for a reader who is not signed in. */
export function signInPage({ next, wrong, access }: SignInPage): Content {
  return html`<div class="sign-in">
    <h1>Sign in</h1>
    ${wrong === undefined ? null : html`<p class="problem" role="alert">${wrong}</p>`}
    ${access.signIn() === undefined ? null : githubForm(next)}
    ${access.directory.isOpen ? tokenForm(next) : null}
    <p class="hint">The browser stays signed in for twelve hours.</p>
  </div>`;
}

function githubForm(next: string): Content {
  return html`<form method="post" action="/session/github" class="ask">
    <input type="hidden" name="next" value="${next}" />
    <p class="buttons"><button type="submit" class="go">Sign in with GitHub</button></p>
  </form>`;
}

function tokenForm(next: string): Content {
  return html`<form method="post" action="/session" class="ask">
      <input type="hidden" name="next" value="${next}" />
      <p class="field">
        <label for="token">Operator token</label>
        <input id="token" name="token" type="password" required autocomplete="current-password" autofocus />
      </p>
      <p class="buttons"><button type="submit" class="go">Sign in</button></p>
    </form>
    <p class="hint">
      <code>millrace worker token</code> creates one; an admin adds its hash to <code>worker.yaml</code> under
      <code>operators</code>.
    </p>`;
}

/** The page of a worker that has no operators, so that nobody can sign in. */
export function closedPage(): Content {
  return html`<div class="sign-in">
    <h1>No operators yet</h1>
    <p>
      The worker was started without operators. List some in <code>worker.yaml</code> under
      <code>operators</code> (<code>millrace worker token</code> creates a token and its hash), or set
      <code>MILLRACE_WORKER_TOKEN</code>, and restart the worker.
    </p>
  </div>`;
}
