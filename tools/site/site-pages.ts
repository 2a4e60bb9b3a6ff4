import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** A Markdown file of the repository that becomes a page. Paths are relative to the repository, with forward slashes. */
export interface SitePage {
  readonly source: string;
  readonly url: string;
  readonly text: string;
  /** The first heading. */
  readonly title: string;
}

/** A group of the navigation: a section of docs/README.md. */
export interface NavGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

const pageGlobs = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/**/*.md',
  'actions/README.md',
  'actions/*/README.md',
  'examples/**/README.md',
];

/** Files that pages link to and the site contains as they are. */
export const copiedGlobs = [
  'LICENSE',
  'docs/pictures/*',
  'docs/openapi.json',
  'docs/schemas/**/*.json',
  'examples/**/*',
];

export function readPages(root: string): readonly SitePage[] {
  const sources = pageGlobs
    .flatMap((glob) => globSync(glob, { cwd: root }))
    .map((file) => file.replaceAll('\\', '/'));
  return sources
    .filter((file) => file !== 'actions/kit/README.md')
    .toSorted()
    .map((source) => {
      const text = readFileSync(path.join(root, source), 'utf8');
      return { source, text, url: urlOf(source), title: titleOf(text) ?? source };
    });
}

/** `docs/README.md` is the index of its folder. */
function urlOf(source: string): string {
  return source.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');
}

function titleOf(text: string): string | undefined {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '');
}

/** The pages of each section of docs/README.md that lists pages, in its order. */
export function readNavigation(pages: readonly SitePage[]): readonly NavGroup[] {
  const index = pages.find(({ source }) => source === 'docs/README.md')?.text ?? '';
  const bySource = new Map(pages.map((page) => [page.source, page]));
  return index
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const items = section.split('\n').filter((line) => line.startsWith('- '));
      const links = items.flatMap((line) => {
        const listed = line.split(':')[0] ?? '';
        return Array.from(listed.matchAll(/\]\(([^)#]+)\)/g), ([, link = '']) =>
          path.posix.join('docs', link),
        );
      });
      const listedPages = links.flatMap((link) => bySource.get(link) ?? []);
      return listedPages.length === 0 ? [] : [{ title: section.split('\n')[0] ?? '', pages: listedPages }];
    });
}

/**
 * Where a link of a page leads on the site, relative to the page; undefined if the site does not have the target,
 * such as a source file.
 */
export function siteLink(
  root: string,
  pages: readonly SitePage[],
  { source, url }: Pick<SitePage, 'source' | 'url'>,
  link: string,
): string | undefined {
  if (/^(?:[a-z][a-z+.-]*:|#)/i.test(link)) return link;
  const [file = '', anchor] = link.split('#');
  const target = path.posix
    .normalize(path.posix.join(path.posix.dirname(source), decodeURI(file)))
    .replace(/\/$/, '');
  const folderPage = target === '.' ? 'README.md' : `${target}/README.md`;
  const page = pages.find((candidate) => candidate.source === target || candidate.source === folderPage);
  const place = page?.url ?? (isCopied(root, target) ? target : undefined);
  if (place === undefined) return undefined;
  const relative = path.posix.relative(path.posix.dirname(url), place);
  return `${encodeURI(relative)}${anchor === undefined ? '' : `#${anchor}`}`;
}

function isCopied(root: string, target: string): boolean {
  const file = path.join(root, target);
  return (
    existsSync(file) &&
    statSync(file).isFile() &&
    copiedGlobs.some((glob) => path.posix.matchesGlob(target, glob))
  );
}
