import path from 'node:path';
import type { NavGroup, SitePage } from './site-pages.ts';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The name of a page in the navigation: its title without `Millrace: `. */
const nameOf = ({ title }: SitePage): string => escapeHtml(title.replace(/^Millrace: /, ''));

/** A whole page of the site. All addresses are relative, so that the site works in any folder of a host. */
export function layout(page: SitePage, content: string, groups: readonly NavGroup[]): string {
  const to = (url: string) => path.posix.relative(path.posix.dirname(page.url), url);
  const item = (listed: SitePage) =>
    `<li><a href="${to(listed.url)}"${listed.url === page.url ? ' aria-current="page"' : ''}>${nameOf(listed)}</a></li>`;
  const navigation = groups.map(
    ({ title, pages }) =>
      `<details${pages.some(({ url }) => url === page.url) || page.url === 'index.html' ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${pages.map(item).join('')}</ul></details>`,
  );
  const title = page.url === 'index.html' ? 'Millrace' : `${escapeHtml(page.title)} · Millrace`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script src="${to('assets/theme.js')}"></script>
<script type="module" src="${to('assets/search.js')}" data-root="${to('index.html').replace(/index\.html$/, '')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${to('index.html')}">Millrace</a>
<a class="pages" href="#pages">Pages</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search" title="Press / to search" aria-label="Search the documentation" autocomplete="off" aria-controls="results">
<ol id="results" hidden></ol>
</div>
<button id="theme" type="button" aria-label="Switch between dark and light">◐</button>
</header>
<div class="columns">
<nav id="pages" aria-label="Pages">
<p><a href="${to('docs/index.html')}"${page.url === 'docs/index.html' ? ' aria-current="page"' : ''}>All pages by reader</a></p>
${navigation.join('\n')}
<p><a href="${to('CHANGELOG.html')}">Changelog</a></p>
</nav>
<main id="content" tabindex="-1">
${content}
</main>
</div>
<footer>Millrace sends nothing home, and this site loads nothing from other hosts. <a href="${to('docs/SECURITY.html')}#what-millrace-connects-to">What Millrace connects to</a></footer>
</body>
</html>
`;
}
