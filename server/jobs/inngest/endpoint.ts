import { serve } from 'inngest/next';
import type { NextRequest } from 'next/server';
import { getPool } from '../../db/pool.ts';
import { settings } from '../../settings/settings.ts';
import { createClient, createJobFunctions, INNGEST_PATH } from './inngest.ts';

type Handler = (request: NextRequest) => Promise<Response>;

let signedHandler: Handler | undefined;
let registration: Handler | undefined;
let registering: Promise<Response> | undefined;

/** The time for which a successful registration answers later callers too. */
const REGISTERED_MS = 1_000;

/**
 * @param isOpen whether unsigned requests register as in the SDK: under the address of the request,
 *   whose query Inngest would then call back with
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
 * One call to Inngest serves all callers meanwhile and a moment later: workers call unsigned, and
 * so can anybody. The call therefore contains nothing from a caller.
 */
async function registerOnce(): Promise<Response> {
  registering ??= register();
  return (await registering).clone();
}

/**
 * Answers Inngest: its calls of functions (POST), their registration (PUT) and questions about them
 * (GET). Unsigned requests except a registration get 401, unless the process runs for development
 * with INNGEST_DEV.
 *
 * The embedded driver answers everybody with 404.
 */
export async function answerInngest(request: NextRequest): Promise<Response> {
  const { jobsDriver, isProduction } = settings();
  if (jobsDriver !== 'inngest') return new Response(null, { status: 404 });
  if (!isSigned(request)) {
    if (request.method === 'PUT') return await registerOnce();
    // The SDK would refuse it as well, but log each one.
    if (isProduction) return new Response(null, { status: 401 });
  }
  signedHandler ??= createHandler(false);
  return await signedHandler(request);
}
