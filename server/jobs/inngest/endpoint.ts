import { serve } from 'inngest/next';
import type { NextRequest } from 'next/server';
import { getPool } from '../../db/pool.ts';
import { readBody } from '../../http/read-body.ts';
import { settings } from '../../settings/settings.ts';
import { createClient, createJobFunctions, INNGEST_PATH } from './inngest.ts';

/** Whether there is room for so many bytes more of a body. */
type Take = (chunkBytes: number) => boolean;

type Door = (request: NextRequest) => Promise<Response>;

let signedDoor: Door | undefined;
let registration: Door | undefined;
let registering: Promise<Response> | undefined;

/** How long an answer that all is registered stands for whoever asks next. */
const REGISTERED_MS = 1_000;

/**
 * @param isOpen whether it registers for who has signed nothing, as the SDK does by itself: under the
 *   address of the request, whose query Inngest would then call back with
 */
function openDoor(isOpen: boolean): Door {
  const client = createClient();
  const functions = createJobFunctions(client, { db: getPool, clock: () => new Date() });
  const url = new URL(settings().inngestServeOrigin + INNGEST_PATH);
  const handler = serve({
    client,
    functions,
    serveOrigin: url.origin,
    servePath: url.pathname,
    enableUnauthedSync: isOpen,
  });
  return (request) => handler(request, undefined);
}

// A call brings one event of ours and no steps: one or two KiB. Anybody can send one with a signature that
// is wrong, and of 2.6 MiB the SDK made a second's work before it looked at that.
const MAX_BODY_BYTES = 64 * 1024;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const BUSY = { status: 503, headers: { 'Retry-After': '1' } };

/**
 * The request with its body read, or why it is none of Inngest's: the SDK reads and parses a body
 * of any size before it looks at the signature.
 */
async function readRequest(request: NextRequest, take: Take): Promise<Request | Response> {
  if (request.method === 'GET' || request.method === 'HEAD') return request;
  const bytes = await readBody(request, MAX_BODY_BYTES, take).catch(() => null);
  if (bytes === null) return new Response(null, { status: 400 });
  if (bytes === 'too_large') return new Response(null, { status: 413 });
  if (bytes === 'busy') return new Response(null, BUSY);
  const body = Buffer.from(bytes).toString('utf8');
  if (body !== '' && !isJson(body)) return new Response(null, { status: 400 });
  const { method, headers, url } = request;
  return new Request(url, { method, headers, body });
}

const isSigned = ({ headers }: Request): boolean => headers.has('x-inngest-signature');

async function register(): Promise<Response> {
  registration ??= openDoor(true);
  const bare = new Request(settings().inngestServeOrigin + INNGEST_PATH, { method: 'PUT' });
  const forget = () => {
    registering = undefined;
  };
  try {
    const answer = await registration(bare as NextRequest);
    if (answer.ok) setTimeout(forget, REGISTERED_MS).unref();
    else forget();
    return answer;
  } catch (error) {
    forget();
    throw error;
  }
}

/**
 * One call of Inngest for all who ask for it meanwhile, or a moment later: workers do unsigned, and so
 * can anybody. So nothing that one of them says goes into it.
 */
async function registerOnce(): Promise<Response> {
  registering ??= register();
  return (await registering).clone();
}

/**
 * Answers Inngest: its calls of functions (POST), the registration of functions
 * (PUT) and questions about them (GET). Unsigned ones get 401 but for a registration, unless the
 * process runs for development with INNGEST_DEV; bodies beyond 64 KiB get 413, those that there is no
 * room for 503, and what is no JSON 400.
 *
 * With the embedded driver nobody has any business here: 404.
 */
export async function answerInngest(request: NextRequest, take: Take): Promise<Response> {
  if (settings().jobsDriver !== 'inngest') return new Response(null, { status: 404 });
  const read = await readRequest(request, take);
  if (read instanceof Response) return read;
  if (!isSigned(read)) {
    if (read.method === 'PUT') return await registerOnce();
    // The SDK would refuse it as well, but tell the log of each.
    if (settings().isProduction) return new Response(null, { status: 401 });
  }
  // The SDK asks for nothing of it that only Next's requests have.
  signedDoor ??= openDoor(false);
  return await signedDoor(read as NextRequest);
}
