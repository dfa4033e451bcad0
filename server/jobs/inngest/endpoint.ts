import { serve } from 'inngest/next';
import type { NextRequest } from 'next/server';
import { getPool } from '../../db/pool.ts';
import { settings } from '../../settings/settings.ts';
import { createClient, createJobFunctions, INNGEST_PATH } from './inngest.ts';

type Handler = (request: NextRequest) => Promise<Response>;

let signedHandler: Handler | undefined;
let registration: Handler | undefined;
let registering: Promise<Response> | undefined;

/** How long an answer that all is registered stands for whoever asks next. */
const REGISTERED_MS = 1_000;

/**
 * @param isOpen whether it registers for who has signed nothing, as the SDK does by itself: under the
 *   address of the request, whose query Inngest would then call back with
 */
function createHandler(isOpen: boolean): Handler {
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

const isSigned = ({ headers }: Request): boolean => headers.has('x-inngest-signature');

async function register(): Promise<Response> {
  registration ??= createHandler(true);
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
 * process runs for development with INNGEST_DEV.
 *
 * With the embedded driver nobody has any business here: 404.
 */
export async function answerInngest(request: NextRequest): Promise<Response> {
  const { jobsDriver, isProduction } = settings();
  if (jobsDriver !== 'inngest') return new Response(null, { status: 404 });
  if (!isSigned(request)) {
    if (request.method === 'PUT') return await registerOnce();
    // The SDK would refuse it as well, but tell the log of each.
    if (isProduction) return new Response(null, { status: 401 });
  }
  signedHandler ??= createHandler(false);
  return await signedHandler(request);
}
