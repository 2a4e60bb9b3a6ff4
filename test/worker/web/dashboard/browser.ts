/** A browser that is signed in to the dashboard with a token. */
export async function signIn(url: string, token: string) {
  const send = (path: string, fields: Record<string, string>, cookie = '') =>
    fetch(`${url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { origin: url, cookie },
    });
  const { headers } = await send('/session', { token });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const open = (path: string, more: Record<string, string> = { cookie }) =>
    fetch(`${url}${path}`, { headers: { accept: 'text/html', ...more } });
  const see = async (path: string) => (await open(path)).text();
  return {
    open,
    see,
    /** Sends a form as its page would, with the page's CSRF token. */
    async act(path: string, fields: Record<string, string>) {
      const csrf = /name="csrf" value="([^"]+)"/.exec(await see(path))?.[1] ?? '';
      return send(path, { csrf, ...fields }, cookie);
    },
  };
}
