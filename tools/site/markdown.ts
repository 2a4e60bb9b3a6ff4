import type { SitePage } from './site-pages.ts';

/** The parts of a token and of a renderer of markdown-it that the site uses. */
interface Token {
  type: string;
  tag: string;
  content: string;
  children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
  attrs: [string, string][] | null;
}

export interface MarkdownIt {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } };
}

interface State {
  readonly tokens: Token[];
  readonly env: { page?: { inputPath?: string } };
}

/** A part of a page under one heading, for the search. */
export interface SearchSection {
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

export interface PageRules {
  /** The page that a template of Eleventy is made from. */
  readonly pageOf: (inputPath: string) => SitePage | undefined;
  /** A link of the page on the site; undefined: the site does not have the target. */
  readonly linkOf: (page: SitePage, link: string) => string | undefined;
  readonly onSections: (sections: readonly SearchSection[]) => void;
}

/** Gives headings the anchors that GitHub gives them, adapts links, and collects the sections for the search. */
export function adaptMarkdown(markdown: MarkdownIt, { pageOf, linkOf, onSections }: PageRules): void {
  markdown.core.ruler.push('site', ({ tokens, env }) => {
    const page = pageOf(env.page?.inputPath ?? '');
    if (page === undefined) return;
    const links = (link: string): string | undefined => linkOf(page, link);
    for (const token of tokens) adaptLinks(token.children ?? [], links);
    onSections(anchorHeadings(tokens, page));
  });
}

function adaptLinks(tokens: readonly Token[], linkOf: (link: string) => string | undefined): void {
  let isDropped = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const link = linkOf(token.attrGet('href') ?? '');
      isDropped = link === undefined;
      if (link !== undefined) token.attrSet('href', link);
      else token.attrs = null;
    }
    // Without its address a link is text.
    if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) token.tag = 'span';
    if (token.type === 'link_close') isDropped = false;
    if (token.type === 'image') token.attrSet('src', linkOf(token.attrGet('src') ?? '') ?? '');
  }
}

function anchorHeadings(tokens: readonly Token[], { url, title }: SitePage): SearchSection[] {
  const used = new Map<string, number>();
  const sections = [{ id: url, page: title, heading: title, text: '' }];
  tokens.forEach((token, index) => {
    const inline = tokens[index + 1];
    if (token.type === 'heading_open' && inline !== undefined) {
      const heading = textOf(inline);
      const slug = anchorOf(heading);
      const count = used.get(slug) ?? 0;
      used.set(slug, count + 1);
      const anchor = count === 0 ? slug : `${slug}-${count}`;
      token.attrSet('id', anchor);
      if (token.tag !== 'h1') sections.push({ id: `${url}#${anchor}`, page: title, heading, text: '' });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const last = sections.at(-1);
      if (last !== undefined) last.text += ` ${textOf(token)}`;
    }
  });
  return sections;
}

const textOf = ({ children, content }: Token): string =>
  (children ?? [])
    .map((child) => (child.type === 'text' || child.type === 'code_inline' ? child.content : ' '))
    .join('')
    .trim() || content;

/** The anchor that GitHub derives from a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
