/** The token against other sites, without which next-auth takes no post; its cookie comes along. */
async function csrfToken(): Promise<string> {
  const answer = await fetch('/api/auth/csrf');
  const { csrfToken: token } = (await answer.json()) as { csrfToken?: unknown };
  if (!answer.ok || typeof token !== 'string') throw new Error('no token');
  return token;
}

/**
 * Posts to next-auth. Its own script leads away from the page, and from what is typed there, where
 * one of its requests fails.
 *
 * @param path below `/api/auth/`
 * @returns where it leads to, with `error` in the query for a refusal; null for a browser that keeps
 *   no cookies, for the token's has not come back
 * @throws where it cannot be reached, or something else has answered
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
