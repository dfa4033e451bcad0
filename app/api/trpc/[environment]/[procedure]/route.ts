import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { isSameOrigin } from '#app/_ui/same-origin.ts';
import { settings } from '#server/env.ts';
import { log } from '#server/log.ts';
import { isEnvironment } from '#server/merchants/types.ts';
import { vouchedPeer } from '#server/rest/peer-address.ts';
import { createContext } from '#server/trpc/context.ts';
import { appRouter } from '#server/trpc/root.ts';

type Context = { params: Promise<{ environment: string }> };

const MAX_BODY_BYTES = 64 * 1024;

function refuse(status: number, message: string): Response {
  return Response.json({ error: { message } }, { status, headers: HEADERS });
}

const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/**
 * Why a request cannot come from our own pages, or null. A form on another site can
 * send cookies with multipart, urlencoded and plain bodies, but neither JSON nor our
 * origin; a length is demanded because the body is read whole.
 */
function whyRefused(request: Request): Response | null {
  const header = (name: string): string | null => request.headers.get(name);
  const site = header('sec-fetch-site');
  if (request.method === 'GET') {
    return site !== null && site !== 'same-origin' ? refuse(403, 'Another site asked.') : null;
  }
  if (!isSameOrigin(header, settings().publicUrl)) return refuse(403, 'Another site asked.');
  const type = (header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return refuse(415, 'Send application/json.');
  const length = header('content-length');
  if (length === null) return refuse(411, 'Send a Content-Length.');
  return Number(length) > MAX_BODY_BYTES ? refuse(413, 'The body is too large.') : null;
}

function cookiesOf(request: Request): Record<string, string> {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return [name, value.join('=')] as const;
  });
  return Object.fromEntries(pairs);
}

async function handle(request: Request, context: Context): Promise<Response> {
  const { environment } = await context.params;
  if (!isEnvironment(environment)) return refuse(404, 'No such environment.');
  const refused = whyRefused(request);
  if (refused) return refused;
  return await fetchRequestHandler({
    endpoint: `/api/trpc/${environment}`,
    req: request,
    router: appRouter,
    allowBatching: false,
    createContext: () =>
      createContext({
        cookies: cookiesOf(request),
        environment,
        address: vouchedPeer(request.headers),
      }),
    responseMeta: () => ({ headers: HEADERS }),
    onError: ({ error, path }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR') {
        log().error({ err: error, procedure: path }, 'a procedure failed');
      }
    },
  });
}

export { handle as GET, handle as POST };
