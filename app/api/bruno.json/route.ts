import { brunoCollection } from '#server/openapi/bruno.ts';
import { settings } from '#server/settings/settings.ts';

// Names the public address, which is known only where it runs.
export const dynamic = 'force-dynamic';

export function GET(): Response {
  const headers = { 'content-disposition': 'attachment; filename="payment-gateway.bruno.json"' };
  return Response.json(brunoCollection(settings().publicUrl), { headers });
}
