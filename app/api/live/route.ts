export const dynamic = 'force-dynamic';

/** The process answers; `/api/health` tells whether it can do its work. */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
}
