import { html, type Content, type Markup } from '../../../../lib/html/markup.ts';

/** The addresses of pages on GitHub about a promotion. */
export interface GitHubPages {
  /** Base of GitHub's pages. */
  readonly webUrl: string;
  readonly repository: string;
}

/** A link to a page of the repository on GitHub. `path`: the path below the repository. */
export function gitHubLink({ webUrl, repository }: GitHubPages, path: string, text: Content): Markup {
  const name = repository.split('/').map(encodeURIComponent).join('/');
  return html`<a href="${webUrl}/${name}/${path}" rel="noreferrer">${text}</a>`;
}

/** The path of a branch or a tag, with its slashes unchanged. */
export function refPath(ref: string): string {
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '');
  return `tree/${name.split('/').map(encodeURIComponent).join('/')}`;
}
