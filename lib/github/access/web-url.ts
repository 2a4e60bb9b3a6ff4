/**
 * Base of GitHub's web pages, from the base of its API: `https://github.com`, or the address of a company's own server,
 * whose API is under `/api/v3` or on a separate host (`api.example.ghe.com`).
 */
export function webUrlOf(apiUrl: string): string {
  const { protocol, host, pathname } = new URL(apiUrl);
  const prefix = pathname.replace(/\/(?:api\/v3)?\/*$/, '');
  return `${protocol}//${host.replace(/^api\./, '')}${prefix}`;
}
