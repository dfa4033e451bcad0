import type { NextRequest } from 'next/server';
import { vouchedPeer } from '#server/http/peer-address.ts';
import { answerInngest } from '#server/jobs/inngest/endpoint.ts';
import { heldCall } from '#server/rest/held-body.ts';

export const dynamic = 'force-dynamic';

// In seconds, for hosts that limit a request: a run begins nothing new after 20 s,
// and an attempt under way ends within ten more.
export const maxDuration = 60;

async function handle(request: NextRequest): Promise<Response> {
  const held = heldCall(vouchedPeer(request.headers));
  try {
    return await answerInngest(request, (bytes) => held.take(bytes));
  } finally {
    held.release();
  }
}

export { handle as GET, handle as POST, handle as PUT };
