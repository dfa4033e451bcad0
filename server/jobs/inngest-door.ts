import { serve } from 'inngest/next';
import type { NextRequest } from 'next/server';
import { getPool } from '../db/pool.ts';
import { settings } from '../env.ts';
import { readBody } from '../lib/read-body.ts';
import { createClient, createJobFunctions, INNGEST_PATH } from './inngest.ts';

type Door = (request: NextRequest) => Promise<Response>;

let door: Door | undefined;

function openDoor(): Door {
  const client = createClient();
  const functions = createJobFunctions(client, { db: getPool, clock: () => new Date() });
  const url = new URL(settings().inngestServeOrigin + INNGEST_PATH);
  const handler = serve({
    client,
    functions,
    serveOrigin: url.origin,
    servePath: url.pathname,
  });
  return (request) => handler(request, undefined);
}

// As much as Inngest sends in a call, whose events and steps come along.
const MAX_BODY_BYTES = 4 * 1024 * 1024;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The request with its body read, or why it is none of Inngest's: the SDK reads and parses a body
 * of any size before it looks at the signature.
 */
async function readRequest(request: NextRequest): Promise<Request | Response> {
  if (request.method === 'GET' || request.method === 'HEAD') return request;
  const bytes = await readBody(request, MAX_BODY_BYTES).catch(() => null);
  if (bytes === null) return new Response(null, { status: 400 });
  if (typeof bytes === 'string') return new Response(null, { status: 413 });
  const body = Buffer.from(bytes).toString('utf8');
  if (body !== '' && !isJson(body)) return new Response(null, { status: 400 });
  const { method, headers, url } = request;
  return new Request(url, { method, headers, body });
}

/**
 * Answers Inngest: its calls of functions (POST), the registration of functions
 * (PUT) and questions about them (GET). Unsigned calls get 401 unless the process
 * runs for development with INNGEST_DEV; bodies beyond 4 MiB get 413, and what is no JSON 400.
 *
 * With the embedded driver nobody has any business here: 404.
 */
export async function answerInngest(request: NextRequest): Promise<Response> {
  if (settings().jobsDriver !== 'inngest') return new Response(null, { status: 404 });
  const read = await readRequest(request);
  if (read instanceof Response) return read;
  door ??= openDoor();
  // The SDK asks for nothing of it that only Next's requests have.
  return door(read as NextRequest);
}
