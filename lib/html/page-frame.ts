import { type Content, html, type Markup } from './markup.ts';

export interface FramedPage {
  /** The title of the window. */
  readonly title: string;
  /** The icon, the stylesheet and the script. */
  readonly head: Content;
  readonly header: Content;
  /** Between the header and the page. */
  readonly notice?: Content;
  readonly main: Content;
  /** Whether a script refreshes the page. */
  readonly live?: boolean;
  readonly footer?: Content;
}

/** The whole document around a page. */
export function pageFrame({ title, head, header, notice, main, live = false, footer }: FramedPage): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${head}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the page</a>
        <header>${header}</header>
        ${notice}
        <main id="main" tabindex="-1" ${live ? html`data-live` : null}>${main}</main>
        ${footer === undefined ? null : html`<footer>${footer}</footer>`}
      </body>
    </html>`;
}

export interface Section {
  readonly name: string;
  readonly href: string;
  /** Whether the reader is here. */
  readonly isCurrent: boolean;
}

/** The links to the sections of a site. */
export function navigation(sections: readonly Section[]): Markup {
  return html`<nav aria-label="Pages">
    <ul>
      ${sections.map(
        ({ name, href, isCurrent }) =>
          html`<li><a href="${href}" ${isCurrent ? html`aria-current="page"` : null}>${name}</a></li>`,
      )}
    </ul>
  </nav>`;
}
