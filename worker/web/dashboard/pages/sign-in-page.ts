import { type Content, html } from '../../../../lib/core/markup.ts';

/** What somebody sees who is not signed in. `next`: where they wanted to go. */
export function signInPage(next: string, wrong?: string): Content {
  return html`<div class="sign-in">
    <h1>Sign in</h1>
    ${wrong === undefined ? null : html`<p class="problem" role="alert">${wrong}</p>`}
    <form method="post" action="/session" class="ask">
      <input type="hidden" name="next" value="${next}" />
      <p class="field">
        <label for="token">Your operator’s token</label>
        <input id="token" name="token" type="password" required autocomplete="current-password" autofocus />
      </p>
      <p class="buttons"><button type="submit" class="go">Sign in</button></p>
    </form>
    <p class="hint">
      <code>millrace worker token</code> makes one; an admin puts its hash into <code>worker.yaml</code> under
      <code>operators</code>. The browser stays signed in for twelve hours.
    </p>
  </div>`;
}

/** Where the worker knows nobody at all. */
export function closedPage(): Content {
  return html`<div class="sign-in">
    <h1>Nobody can sign in yet</h1>
    <p>
      The worker was started without operators. List some in <code>worker.yaml</code> under
      <code>operators</code> (<code>millrace worker token</code> makes a token and its hash), or set
      <code>MILLRACE_WORKER_TOKEN</code>, and start it again.
    </p>
  </div>`;
}
