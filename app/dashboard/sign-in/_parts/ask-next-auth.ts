/** The token against other sites, which next-auth requires in a post; sets its cookie. */
async function csrfToken(): Promise<string> {
  const answer = await fetch('/api/auth/csrf');
  const { csrfToken: token } = (await answer.json()) as { csrfToken?: unknown };
  if (!answer.ok || typeof token !== 'string') throw new Error('no token');
  return token;
}

/**
 * Posts to next-auth. Its own script leaves the page, and loses what is typed, after a failed
 * request.
 *
 * @param path below `/api/auth/`
 * @returns the next address, with `error` in the query for a refusal; null for a browser that keeps
 *   no cookies, because the token's has not come back
 * @throws if it is unreachable, or something else has answered
 */
export async function askNextAuth(
  path: string,
  fields: Record<string, string>,
): Promise<URL | null> {
  const body = new URLSearchParams({ ...fields, csrfToken: await csrfToken(), json: 'true' });
  const answer = await fetch(`/api/auth/${path}`, { method: 'POST', body });
  const { url: text } = (await answer.json()) as { url?: unknown };
  if (typeof text !== 'string') throw new Error('no address');
  const url = new URL(text);
  return url.searchParams.get('csrf') === 'true' ? null : url;
}
