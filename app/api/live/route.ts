export const dynamic = 'force-dynamic';

/** The process answers: whether it can do its work, `/api/health` tells. */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
}
