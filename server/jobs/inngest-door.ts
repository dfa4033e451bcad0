import { serve } from 'inngest/next';
import type { NextRequest } from 'next/server';
import { getPool } from '../db/pool.ts';
import { settings } from '../env.ts';
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

/**
 * Answers Inngest: its calls of functions (POST), the registration of functions
 * (PUT) and questions about them (GET). Unsigned calls get 401 unless the process
 * runs for development with INNGEST_DEV.
 *
 * With the embedded driver nobody has any business here: 404.
 */
export async function answerInngest(request: NextRequest): Promise<Response> {
  if (settings().jobsDriver !== 'inngest') return new Response(null, { status: 404 });
  door ??= openDoor();
  return door(request);
}
